import { describe, expect, test } from 'vitest';
import { compileScript } from './index.ts';
import type { ScriptResult, Script } from './index.ts';

function compiled(source: string): Script {
  const script = compileScript(source);
  if (!('call' in script)) throw new Error(`line ${script.line}: ${script.message}`);
  return script;
}

/** The values of `return …` as the body of a function. */
const values = (body: string, ...args: readonly unknown[]): ScriptResult =>
  compiled(`function f(a, b)\n${body}\nend`).call('f', args);

const cases: readonly (readonly [string, readonly unknown[]])[] = [
  ['return 1 + 2 * 3 ^ 2 - 4 / 2, -2 ^ 2, 7 % 3, -7 % 3, 2 ^ 3 ^ 2', [17, -4, 1, 2, 512]],
  ['return "10" + 5, 10 .. "", 1.5 .. "|" .. 1e100, 2^53 .. ""', [15, '10', '1.5|1e+100', '9007199254740992']],
  ['return not nil, nil == false, 0 and "yes", false or nil, nil and 1', [true, false, 'yes', undefined, undefined]],
  ['return 1 < 2, "a" < "b", "Z" < "a", 2 >= 2, 1 ~= 1', [true, true, true, true, false]],
  ['local t = {1, 2, nil, 4}; return #t', [4]],
  ['local t = {}; t[3] = 3; t[1] = 1; t[2] = 2; return #t, t[3]', [3, 3]],
  ['local t = {1, 2, 3}; t[#t] = nil; return #t', [2]],
  ['local t = {f = 1, [2 + 1] = "x", "first"; "second"}; return t.f, t[3], t[1], t[2]', [1, 'x', 'first', 'second']],
  ['local n = 0; for i = 10, 1, -3 do n = n + i end; return n', [22]],
  ['local s = ""; for k, v in pairs({b = 1, a = 2, 7}) do s = s .. k .. v .. ";" end; return s', ['17;b1;a2;']],
  ['local s = 0; for i, v in ipairs({1, 2, nil, 4}) do s = s + v end; return s', [3]],
  ['local i = 0; while true do i = i + 1; if i > 4 then break end end; return i', [5]],
  ['local i = 0; repeat local done = i == 3; i = i + 1 until done; return i', [4]],
  ['for i = 1, 3 do if i == 2 then goto next end; a = i; ::next:: end; return a', [3]],
  [
    'local fs = {}; for i = 1, 3 do fs[i] = function() i = i + 1; return i end end; return fs[1](), fs[1](), fs[2]()',
    [2, 3, 3],
  ],
  ['local function count(n) if n == 0 then return 0 end; return 1 + count(n - 1) end; return count(100)', [100]],
  ['local function all(...) return select("#", ...), ... end; return all(nil, 2, nil)', [3, undefined, 2, undefined]],
  ['local function two() return 1, 2 end; local t = {two(), two()}; return #t, (two())', [3, 1]],
  ['local a, b, c = (function() return 1, 2 end)(); return a, b, c', [1, 2, undefined]],
  ['local t = {n = 1}; function t:inc(by) self.n = self.n + by; return self end; return t:inc(2):inc(3).n', [6]],
  ['local t = {}; t.x, t.y = 1, 2; t.x, t.y = t.y, t.x; return t.x, t.y', [2, 1]],
  ['return pcall(function() error("no") end)', [false, 'line 2: no']],
  ['return pcall(function() error({code = 7}) end)', [false, { code: 7 }]],
  ['return pcall(function() error("plain", 0) end)', [false, 'plain']],
  [
    'return select(2, pcall(function() local x = nil; return x.y end))',
    ["line 2: attempt to index a nil value 'x' (reading 'y')"],
  ],
  [
    'return type(nil), type(1), type(""), type({}), type(type), type(true)',
    ['nil', 'number', 'string', 'table', 'function', 'boolean'],
  ],
  [
    'return tonumber("0x1F"), tonumber(" 12 "), tonumber("1e2"), tonumber("z", 36), tonumber("x"), tonumber("")',
    [31, 12, 100, 35, undefined, undefined],
  ],
  [
    'return tostring(1), tostring(1.0), tostring(0.1), tostring(true), tostring(nil), tostring(-0)',
    ['1', '1', '0.1', 'true', 'nil', '0'],
  ],
  ['return next({}), next({1}), next({a = 1}, "a")', [undefined, 1, undefined]],
  ['return unpack({1, 2, 3}, 2)', [2, 3]],
  ['local t = {3, 1, 2}; table.sort(t); return table.concat(t, ","), #t', ['1,2,3', 3]],
  ['local t = {"b", "a"}; table.sort(t, function(x, y) return x > y end); return t', [['b', 'a']]],
  ['local t = {1, 3}; table.insert(t, 2, 2); table.insert(t, 4); return table.remove(t, 1), t', [1, [2, 3, 4]]],
  ['return math.max(1, 3, 2), math.floor(-1.5), math.ceil(1.2), math.huge > 1, math.fmod(7, 3)', [3, -2, 2, true, 1]],
  ['return ("x"):rep(3), #"äö", ("äö"):upper(), string.len("abc")', ['xxx', 4, 'äö', 3]],
  ['return "\\65\\066\\n", [[\nlong]], [==[ ]] ]==]', ['AB\n', 'long', ' ]] ']],
  ['-- a comment\n--[[ long\ncomment ]] return 1', [1]],
  ['return os.date("!%Y-%m-%dT%H:%M:%SZ"), os.time()', ['1970-01-01T00:00:00Z', 0]],
];

test.each(cases)('%s', (body, expected) => {
  expect(values(body)).toEqual({ values: expected });
});

describe('strings', () => {
  test.each<[string, readonly unknown[]]>([
    ['return ("hello world"):find("o w")', [5, 7]],
    ['return ("hello"):find("l+")', [3, 4]],
    ['return ("a.b"):find(".", 1, true)', [2, 2]],
    ['return ("key = value"):match("^(%w+)%s*=%s*(%w+)$")', ['key', 'value']],
    ['return ("2024-01-02"):match("(%d+)-(%d+)-(%d+)")', ['2024', '01', '02']],
    ['return ("abc"):match("()b()")', [2, 3]],
    ['return ("f(a(b)c)d"):match("%b()")', ['(a(b)c)']],
    ['return ("THE (quick) fox"):find("%f[%a]%a+%f[%A]")', [1, 3]],
    ['return ("aXb"):match("[^%l]"), ("a-b"):match("[%-x]"), ("]"):match("[]]")', ['X', '-', ']']],
    ['return ("abcabc"):match("(a)bc%1")', ['a']],
    ['return ("<<a>><<b>>"):match("<<(.-)>>")', ['a']],
    ['return ("hello"):gsub("l", "L"), ("abc"):gsub("%w", "%0%0")', ['heLLo', 'aabbcc', 3]],
    ['return ("$a $b"):gsub("%$(%w+)", {a = "1"})', ['1 $b', 2]],
    ['return ("abc"):gsub("", "-")', ['-a-b-c-', 4]],
    ['return ("abc"):gsub("b", function(x) return x:upper() .. "!" end)', ['aB!c', 1]],
    ['local t = {}; for k, v in ("a=1,b=2"):gmatch("(%w)=(%w)") do t[k] = v end; return t', [{ a: '1', b: '2' }]],
    [
      'return ("abcdef"):sub(2, -2), ("abc"):sub(-2), ("abc"):sub(5), ("abc"):byte(1, -1)',
      ['bcde', 'bc', '', 97, 98, 99],
    ],
    [
      'return string.format("%5d|%-5s|%05.1f|%x|%q|%%|%s|%g", 42, "ab", 3.14159, 255, "a\\"b", nil, 0.1)',
      ['   42|ab   |003.1|ff|"a\\"b"|%|nil|0.1'],
    ],
    ['return string.format("%+d % d %03d %.3d %e %c", 1, 2, -7, 5, 12345.678, 65)', ['+1  2 -07 005 1.234568e+04 A']],
  ])('%s', (body, expected) => {
    expect(values(body)).toEqual({ values: expected });
  });
});

describe('objects', () => {
  const object = { metadata: { labels: {}, finalizers: [] }, spec: { replicas: 2, list: [{ a: 1 }] } };

  test('An object that is not touched comes back as the very same object', () => {
    const found = values('local x = a.spec.replicas; return a', object);
    expect('values' in found && found.values[0]).toBe(object);
  });

  test('A changed object keeps its empty lists and maps, and the argument does not change', () => {
    const before = structuredClone(object);
    const found = values('a.spec.replicas = 3; a.metadata.labels.x = nil; a.extra = {}; return a', object);
    expect(found).toEqual({ values: [{ ...object, spec: { ...object.spec, replicas: 3 } }] });
    expect(object).toEqual(before);
    expect('values' in found && (found.values[0] as typeof object).spec.list).toBe(object.spec.list);
  });

  test('A table that a script empties or makes again is what an argument has at its place', () => {
    expect(values('a.metadata = {labels = {}, finalizers = {}}; a.spec = nil; return a', object)).toEqual({
      values: [{ metadata: { labels: {}, finalizers: [] } }],
    });
    expect(values('return {b = {}, c = 1}')).toEqual({ values: [{ c: 1 }] });
  });

  test('Null is nil', () => {
    expect(values('return a.x == nil, a', { x: null, y: 1 })).toEqual({ values: [true, { x: null, y: 1 }] });
  });

  test('Equal objects are walked in the same order', () => {
    const body = 'local s = ""; for k in pairs(a) do s = s .. k end; return s';
    expect(values(body, { b: 1, a: 2 })).toEqual(values(body, { a: 2, b: 1 }));
  });

  test.each<[string, string]>([
    ['return {1, x = 2}', 'the result mixes a list with the key x'],
    ['return {f = type}', 'a function cannot be part of the result'],
    ['local t = {}; t.t = t; return t', 'the result is nested too deeply, or contains itself'],
    ['return 0 / 0', 'the result contains a number that JSON does not know: NaN'],
  ])('%s cannot be a result', (body, error) => {
    expect(values(body)).toEqual({ error });
  });
});

test.each<[string, number, string]>([
  ['function f(\nend', 2, "'name' expected near 'end'"],
  ['function f()\n  if true then\n', 3, "'end' expected near 'end of the script'"],
  ['x = = 1', 1, "unexpected symbol near '='"],
  ['x = "open', 1, 'unfinished string'],
  ['break', 1, 'break is not in a loop'],
  ['\ngoto away', 2, "no visible label 'away' for goto"],
  ['x = 3y', 1, "malformed number near '3y'"],
  ['x = @', 1, "unexpected symbol near '@'"],
  [`x = ${'('.repeat(5000)}`, 1, 'the script is nested too deeply'],
])('%s does not compile', (source, line, message) => {
  expect(compileScript(source)).toEqual({ line, message });
});

test.each<[string, string]>([
  ['return a.b.c', "line 2: attempt to index a nil value 'a' (reading 'b')"],
  ['\nlocal t = {}\nt.x.y = 1', "line 4: attempt to index a nil value 'x' (setting 'y')"],
  ['return 1 + {}', 'line 2: attempt to perform arithmetic on a table value'],
  ['return 1 < "2"', 'line 2: attempt to compare number with string'],
  ['return nothing()', "line 2: attempt to call a nil value 'nothing'"],
  ['return ("x"):rep({})', "line 2: bad argument #2 to 'rep' (number expected, got table)"],
  ['return require("socket")', "line 2: module 'socket' not found"],
  ['return loadstring("return 1")', 'line 2: the function loadstring is not available to interpreters'],
  ['return math.random()', 'line 2: interpreters have no random numbers: their answers must not differ between runs'],
  ['return io.open("/etc/passwd")', "line 2: attempt to index a nil value 'io' (reading 'open')"],
  ['return os.getenv("HOME")', "line 2: attempt to call a nil value 'getenv'"],
  ['error("my own words")', 'line 2: my own words'],
])('%s fails with its line', (body, error) => {
  expect(values(body)).toEqual({ error });
});

test.each([
  'while true do end',
  'local function again() return again() end; return again()',
  'pcall(function() while true do end end)',
  'local s = "x"; while true do s = s .. s end',
  'local t = {}; local i = 0; while true do i = i + 1; t[i] = {} end',
  'return ("x"):rep(1e12)',
  'return (("a"):rep(100000)):find(".-.-.-.-b")',
  'while true do pcall(error) end',
  'local t = {}; for i = 1, 5000 do t[i] = i end; table.sort(t, function() while true do end end)',
])('%s is ended within a second of work', (body) => {
  const since = process.cpuUsage();
  const answer = values(body);
  expect(answer).toHaveProperty('error');
  expect(process.cpuUsage(since).user / 1000).toBeLessThan(1000);
});

test('A run sees nothing of the run before it', () => {
  const script = compiled('function f() count = (count or 0) + 1; string.mine = 1; return count, string.mine end');
  const answers = [script.call('f', []), script.call('f', [])];
  expect(answers[1]).toEqual({ values: [1, 1] });
  expect(compiled('function f() return string.mine end').call('f', [])).toEqual({ values: [undefined] });
});

test('A module gets and gives values of JSON, and its errors have the line of the call', () => {
  const script = compiled('local kube = require("kube")\nfunction f(a)\n  return kube.double(a)\nend');
  const double = (value: unknown): unknown => ({ is: value, twice: [value, value] });
  expect(script.call('f', ['x'], { modules: { kube: { double } } })).toEqual({
    values: [{ is: 'x', twice: ['x', 'x'] }],
  });
});

test('A function that a script lacks is an error', () => {
  expect(compiled('x = 1').call('GetReplicas', [])).toEqual({ error: 'the script has no function GetReplicas' });
});
