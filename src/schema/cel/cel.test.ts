import { describe, expect, it } from 'vitest';
import { builtinCatalog, fieldErrorText } from '../../api/index.ts';
import type { KindInfo, Schema, ValidationRule } from '../../api/index.ts';
import { freeze } from '../../base/index.ts';
import { schemaOf } from '../structural/kind-schema.ts';
import { ruleErrors } from './index.ts';

const { definitions } = builtinCatalog();

const item: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 63 }, n: { type: 'integer' } },
};
const properties: Record<string, Schema> = {
  a: { type: 'integer' },
  b: { type: 'integer' },
  d: { type: 'number' },
  s: { type: 'string' },
  t: { type: 'string', format: 'date-time' },
  dur: { type: 'string', format: 'duration' },
  p: { 'x-kubernetes-int-or-string': true },
  l: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 100 } },
  nums: { type: 'array', items: { type: 'integer' } },
  m: { type: 'object', additionalProperties: { type: 'integer' } },
  items: {
    type: 'array',
    maxItems: 100,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: item,
  },
  none: { type: 'string', nullable: true },
  namespace: { type: 'string' },
  'x-y.z/__': { type: 'string' },
};

const ruled = (...rules: ValidationRule[]): Schema => ({
  type: 'object',
  properties,
  'x-kubernetes-validations': rules,
});

const object = (spec: object): unknown => freeze({ apiVersion: 'a/v1', kind: 'T', metadata: { name: 'x' }, spec });

function errorsOf(spec: Schema, after: object, before?: object): string[] {
  const base = builtinCatalog().byKind('v1', 'ConfigMap')!;
  const kind: KindInfo = { ...base, schema: { type: 'object', properties: { spec } }, custom: true };
  const errors = schemaOf(kind, definitions).validate(object(after), before && object(before));
  return errors.map(fieldErrorText);
}

const sample = {
  a: 3,
  b: 5,
  d: 2,
  s: 'hello-world',
  t: '2024-01-02T00:00:00Z',
  dur: '1h30m',
  p: '50%',
  l: ['b', 'a'],
  nums: [1, 2, 3],
  m: { k: 1 },
  items: [
    { name: 'x', n: 1 },
    { name: 'y', n: 2 },
  ],
  none: null,
  namespace: 'ns',
  'x-y.z/__': 'odd',
};

const textsOf = (schema: Schema): string[] => ruleErrors(schema, 'spec').map(fieldErrorText);

describe('the language of a rule', () => {
  it.each([
    'self.a < self.b',
    'self.a + 2 == self.b',
    'self.d <= 2.0 && self.d < self.a',
    'has(self.s) && !has(self.q)',
    'self.s.startsWith("hello") && self.s.endsWith("world") && self.s.contains("-")',
    "self.s.matches('^[a-z]+-[a-z]+$')",
    'self.t > timestamp("2024-01-01T00:00:00Z")',
    'self.dur == duration("90m")',
    'type(self.p) == string ? self.p.matches("^[0-9]+%$") : self.p > 0',
    'self.l.exists(x, x == "a") && self.l.all(x, x.size() == 1)',
    'size(self.l) == 2 && "k" in self.m && self.m["k"] == 1 && self.m.all(k, self.m[k] > 0)',
    'self.items.all(i, self.items.exists_one(j, j.name == i.name))',
    'self.items.map(i, i.name) == ["x", "y"]',
    'self.items.filter(i, i.n > 1)[0].name == "y"',
    'self.items[0] == self.items[0] && self.items[0] != self.items[1]',
    'self.none == null',
    'self.__namespace__ == "ns" && self.x__dash__y__dot__z__slash____underscores__ == "odd"',
    'self.?s.orValue("") == "hello-world" && !self.?m["nope"].hasValue()',
    'optional.of(self.a).value() == 3 && !optional.none().hasValue()',
    '!self.l.isSorted() && self.nums.isSorted() && self.nums.sum() == 6 && self.nums.min() == 1 && self.nums.max() == 3',
    'self.nums.indexOf(2) == 1 && self.nums.lastIndexOf(9) == -1',
    'self.s.find("[a-z]+") == "hello" && self.s.findAll("[a-z]+") == ["hello", "world"] && self.s.findAll("[a-z]+", 1) == ["hello"]',
    'self.s.charAt(0) == "h" && self.s.indexOf("world") == 6 && self.s.substring(0, 5) == "hello"',
    'self.s.replace("-", " ").split(" ").join("+") == "hello+world" && self.s.upperAscii().lowerAscii() == self.s',
    '"%s has %d, %.2f and %x".format([self.s, self.a, self.d, 255]) == "hello-world has 3, 2.00 and ff"',
    'strings.quote("a\\"b") == "\\"a\\\\\\"b\\"" && " a ".trim() == "a"',
    'sets.contains(self.l, ["a"]) && sets.equivalent(self.l, ["a", "b"]) && !sets.intersects(self.l, ["c"])',
    'quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("1").compareTo(quantity("1000m")) == 0 && isQuantity("5m")',
    'quantity("1k").add(quantity("24")).asInteger() == 1024 && quantity("100m").sign() == 1 && quantity("3").sub(1) == quantity("2")',
    'url("https://u@example.com:80/p?q=1").getHost() == "example.com:80" && url("https://a/b?c=d").getQuery()["c"] == ["d"] && !isURL("x")',
    'ip("10.0.0.1").family() == 4 && ip("::1").isLoopback() && isIP("1.2.3.4") && !ip.isCanonical("::0:1") && ip("8.8.8.8").isGlobalUnicast()',
    'cidr("10.0.0.0/8").containsIP("10.1.2.3") && cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && string(cidr("10.1.2.3/8").masked()) == "10.0.0.0/8"',
    'cidr("fd00::1/64").masked().ip() == ip("fd00::") && cidr("fd00::/64").prefixLength() == 64 && isCIDR("10.0.0.0/8")',
    '!format.dns1123Label().validate(self.s).hasValue() && format.named("uuid").value().validate("x").hasValue() && !format.named("nope").hasValue()',
    'math.greatest(self.a, self.b) == 5 && math.least([3, 1, 2]) == 1 && math.abs(-2) == 2 && math.round(-1.5) == -2.0',
    'cel.bind(n, self.items.map(i, i.n), n.sum() == 3)',
    'self.?a.optMap(a, a + 1).orValue(0) == 4 && !self.?q.optMap(q, 1).hasValue() && self.?s.optMap(s, s.size()).value() == 11',
    'self.?m.optFlatMap(m, m[?"k"]).orValue(0) == 1 && !self.?m.optFlatMap(m, m[?"z"]).hasValue()',
    '!optional.ofNonZeroValue(0).hasValue() && optional.ofNonZeroValue("x").value() == "x" && !optional.ofNonZeroValue([]).hasValue()',
  ])('%s', (rule) => {
    expect(ruleErrors(ruled({ rule }), 'spec')).toEqual([]);
    expect(errorsOf(ruled({ rule }), sample)).toEqual([]);
    expect(errorsOf(ruled({ rule: `!(${rule})`, message: 'no' }), sample)).toEqual([
      'spec: Invalid value: "object": no',
    ]);
  });
});

describe('the message about a refused value', () => {
  it.each<[string, ValidationRule, string]>([
    ['the rule itself', { rule: 'self.a > 9' }, 'spec: Invalid value: "object": failed rule: self.a > 9'],
    ['a message', { rule: 'self.a > 9', message: 'too small' }, 'spec: Invalid value: "object": too small'],
    [
      'a message made from the value',
      { rule: 'self.a > 9', messageExpression: '"a is " + string(self.a)', message: 'too small' },
      'spec: Invalid value: "object": a is 3',
    ],
    [
      'a message that cannot be made',
      { rule: 'self.a > 9', messageExpression: 'self.l[7]', message: 'too small' },
      'spec: Invalid value: "object": too small',
    ],
    ['a reason', { rule: 'self.a > 9', message: 'no', reason: 'FieldValueForbidden' }, 'spec: Forbidden: no'],
    ['a field', { rule: 'self.a > 9', message: 'no', fieldPath: '.a' }, 'spec.a: Invalid value: "object": no'],
    [
      'a failure',
      { rule: 'self.l[7] == "x"' },
      'spec: Invalid value: "object": index out of bounds: 7 evaluating rule: self.l[7] == "x"',
    ],
    [
      'types that only show at work',
      { rule: 'self.p > 5' },
      `spec: Invalid value: "object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.p > 5`,
    ],
  ])('%s', (_, rule, expected) => {
    expect(errorsOf(ruled(rule), sample)).toEqual([expected]);
  });

  it('waits for the types to be right', () => {
    expect(errorsOf(ruled({ rule: 'self.a > 9' }), { a: 'x' })).toEqual([
      'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  it('applies where the schema has it', () => {
    const deep: Schema = {
      type: 'object',
      properties: {
        ...properties,
        items: { ...properties['items'], items: { ...item, 'x-kubernetes-validations': [{ rule: 'self.n < 2' }] } },
        m: {
          type: 'object',
          additionalProperties: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 5' }] },
        },
      },
    };
    expect(errorsOf(deep, sample)).toEqual([
      'spec.m.k: Invalid value: "integer": failed rule: self > 5',
      'spec.items[1]: Invalid value: "object": failed rule: self.n < 2',
    ]);
  });
});

describe('rules of change', () => {
  const immutable = ruled({ rule: 'self.a == oldSelf.a', message: 'a is immutable' });

  it('are asked only when there was something before', () => {
    expect(errorsOf(immutable, sample)).toEqual([]);
    expect(errorsOf(immutable, { ...sample, b: 1 }, sample)).toEqual([]);
    expect(errorsOf(immutable, { ...sample, a: 4 }, sample)).toEqual(['spec: Invalid value: "object": a is immutable']);
  });

  it('may ask about the first time too', () => {
    const first = ruled({ rule: 'oldSelf.hasValue() || self.a == 3', optionalOldSelf: true });
    expect(errorsOf(first, sample)).toEqual([]);
    expect(errorsOf(first, { ...sample, a: 4 })).toHaveLength(1);
    expect(errorsOf(first, { ...sample, a: 4 }, sample)).toEqual([]);
  });

  it('find the old item of a map list by its key', () => {
    const grows: Schema = { ...item, 'x-kubernetes-validations': [{ rule: 'self.n >= oldSelf.n' }] };
    const schema: Schema = {
      type: 'object',
      properties: { ...properties, items: { ...properties['items'], items: grows } },
    };
    const before = {
      items: [
        { name: 'x', n: 5 },
        { name: 'y', n: 2 },
      ],
    };
    expect(
      errorsOf(
        schema,
        {
          items: [
            { name: 'y', n: 2 },
            { name: 'x', n: 6 },
          ],
        },
        before,
      ),
    ).toEqual([]);
    expect(
      errorsOf(
        schema,
        {
          items: [
            { name: 'new', n: 0 },
            { name: 'x', n: 4 },
          ],
        },
        before,
      ),
    ).toEqual(['spec.items[1]: Invalid value: "object": failed rule: self.n >= oldSelf.n']);
  });

  it('tolerate an old sin, unless they are about the change', () => {
    const small: Schema = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 3' }] };
    const schema: Schema = { type: 'object', properties: { ...properties, a: small } };
    expect(errorsOf(schema, { ...sample, b: 1 }, sample)).toEqual([]);
    expect(errorsOf(schema, { ...sample, a: 4 }, sample)).toHaveLength(1);
    const moving = { ...small, 'x-kubernetes-validations': [{ rule: 'self != oldSelf' }] };
    expect(errorsOf({ ...schema, properties: { ...properties, a: moving } }, { ...sample, b: 1 }, sample)).toHaveLength(
      1,
    );
  });
});

describe('a rule that cannot be', () => {
  it.each<[string, string]>([
    ['self.nope == 1', "compilation failed: ERROR: <input>:1:5: undefined field 'nope'\n | self.nope == 1\n | ....^"],
    ['self.a == "x"', 'no such overload: int == string'],
    ['other.a == 1', "undeclared reference to 'other' (in container '')"],
    ['self.a +', 'compilation failed: ERROR: <input>:1:9:'],
    ['self.a', 'cel expression must evaluate to a bool'],
    ['self.s.matches(1)', "found no matching overload for 'string.matches(int)'"],
  ])('%s', (rule, expected) => {
    const texts = textsOf(ruled({ rule }));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('spec.x-kubernetes-validations[0].rule: Invalid value: {"rule":');
    expect(texts[0]).toContain(expected);
  });

  it.each<[string, ValidationRule, string]>([
    ['no rule', { rule: ' ' }, 'rule: Required value: rule is not specified'],
    ['lines without a message', { rule: 'true\n&& true' }, 'message: Required value'],
    ['an unknown reason', { rule: 'true', reason: 'Why' }, 'reason: Unsupported value: "Why"'],
    [
      'a path to nowhere',
      { rule: 'true', fieldPath: '.nope' },
      'fieldPath: Invalid value: ".nope": must be a valid path',
    ],
    [
      'a message that is no text',
      { rule: 'true', messageExpression: 'self.a' },
      'messageExpression must evaluate to a string',
    ],
    [
      'optionalOldSelf without oldSelf',
      { rule: 'true', optionalOldSelf: true },
      'may not be set if oldSelf is not used',
    ],
  ])('%s', (_, rule, expected) => {
    expect(textsOf(ruled(rule))[0]).toContain(expected);
  });

  it('uses oldSelf where nothing corresponds', () => {
    const schema: Schema = {
      type: 'array',
      maxItems: 10,
      items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
    };
    expect(textsOf(schema)[0]).toContain(
      'oldSelf cannot be used on the uncorrelatable portion of the schema within spec',
    );
  });
});

describe('a rule that would run for long', () => {
  const nums = Array.from({ length: 3000 }, (_, i) => i);

  it.each([
    'self.nums.all(x, self.nums.all(y, self.nums.all(z, x + y + z >= 0)))',
    'self.nums.all(x, self.nums.map(y, y).all(z, z in self.nums))',
    'self.nums.map(x, self.nums.map(y, self.nums.sum())).size() > 0',
  ])('is stopped: %s', (rule) => {
    expect(errorsOf(ruled({ rule }), { nums })[0]).toContain('no further validation rules will be run');
  });

  it('leaves the next write a full budget', () => {
    const heavy = ruled({ rule: 'self.nums.all(x, self.nums.all(y, x + y >= 0))' });
    expect(errorsOf(heavy, { nums })).toHaveLength(1);
    expect(errorsOf(heavy, { nums: nums.slice(0, 300) })).toEqual([]);
  });

  it('cannot hang in a regular expression', () => {
    const rule = ruled({ rule: "!self.s.matches('^(a+)+$')" });
    expect(errorsOf(rule, { s: `${'a'.repeat(60)}!` })).toEqual([]);
  });
});
