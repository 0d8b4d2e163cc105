import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileScript } from './index.ts';

const words = (
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while ' +
  'f a b x t pairs ipairs string table math pcall error type select next tostring ( ) { } [ ] = == ~= < > + - * / % ^ # . .. ... , ; : :: ' +
  '1 2 0.5 1e9 "s" "%d+" [[l]] string.rep string.format string.gsub table.concat table.insert a.spec a.list[1] f()'
).split(' ');

const soup = fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((list) => list.join(' '));
const statement = fc.constantFrom(
  'x = a',
  'a.spec.n = (a.spec.n or 0) + 1',
  'for k, v in pairs(a) do t = v end',
  'while true do x = {x} end',
  'local function g(...) return g, ... end x = g(x)',
  't = string.format("%5.2f %q", x, t)',
  't = tostring(t):gsub(".", "%0%0")',
  'table.insert(a.list, x)',
  'table.sort(a.list, function() return true end)',
  'x = ("x"):rep(1e7)',
  'x = select(-1, a, b)',
  'goto out',
  '::out::',
  'x, t = pcall(x, t)',
  'repeat local y = x until y == x',
  'for i = 1, 1e12 do t = i end',
  'error(a)',
  'x = a.list[#a.list]',
);
const program = fc.array(statement, { maxLength: 8 }).map((list) => list.join('\n'));

const argument = { spec: { n: 1 }, list: [1, 'two', { three: 3 }], empty: {}, nothing: null };

/** A script is refused with a line, or answers with values or with words. */
function survives(source: string): void {
  const script = compileScript(source);
  if ('line' in script) {
    expect(script.line).toBeGreaterThan(0);
    expect(script.message).not.toBe('');
    return;
  }
  const options = { limits: { steps: 20_000, bytes: 1_000_000 } };
  const answer = script.call('f', [argument, 'b'], options);
  expect('values' in answer || answer.error.length > 0).toBe(true);
  expect(script.call('f', [argument, 'b'], options)).toEqual(answer);
}

test('Any words are refused with a line, or answer the same each time', () => {
  fc.assert(fc.property(soup, (text) => survives(`function f(a, b)\n${text}\nend`)));
  fc.assert(fc.property(soup, survives));
});

test('Any text is refused with a line, or answers the same each time', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), survives));
});

test('Any statements end, and leave their arguments as they are', () => {
  const before = structuredClone(argument);
  fc.assert(fc.property(program, (text) => survives(`function f(a, b)\n${text}\nreturn a, x, t\nend`)));
  expect(argument).toEqual(before);
});

test('Any pattern finds something, finds nothing or is refused', () => {
  const pattern = fc
    .array(fc.constantFrom(...'%[]^$()-+*?.abdwsf01 '.split('')), { maxLength: 12 })
    .map((list) => list.join(''));
  const script = compileScript('function f(p, s) return {s:find(p)}, {s:gsub(p, "%0")} end');
  fc.assert(
    fc.property(pattern, fc.string({ maxLength: 20 }), (one, text) => {
      const answer = 'call' in script ? script.call('f', [one, text]) : undefined;
      expect(answer).toBeDefined();
    }),
  );
});
