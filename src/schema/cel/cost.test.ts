import { describe, expect, test } from 'vitest';
import { crds, fieldErrorText } from '../../api/index.ts';
import type { CustomResourceDefinition, Schema } from '../../api/index.ts';
import { validateCrd, validateCrdUpdate } from '../crd/index.ts';
import { ruleErrors } from './index.ts';

const advice =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
const ruled = (schema: Schema, ...rules: readonly string[]): Schema => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});
const text = (maxLength?: number): Schema => ({ type: 'string', ...(maxLength !== undefined && { maxLength }) });
const list = (items: Schema, maxItems?: number): Schema => ({
  type: 'array',
  items,
  ...(maxItems !== undefined && { maxItems }),
});
const map = (additionalProperties: Schema, maxProperties?: number): Schema => ({
  type: 'object',
  additionalProperties,
  ...(maxProperties !== undefined && { maxProperties }),
});
const textsOf = (schema: Schema): readonly string[] => ruleErrors(schema, 'schema').map(fieldErrorText);

describe('the estimated cost of a rule', () => {
  const nested = 'self.all(x, self.all(y, x.a == y.a))';
  const pairs = (items?: number, length?: number): Schema => list(object({ a: text(length) }), items);

  test.each<readonly [string, Schema, string]>([
    ['a loop inside a loop over a list of any length', ruled(pairs(), nested), 'more than 100x'],
    ['the same over 1,000 items of any length', ruled(pairs(1000), nested), 'more than 100x'],
    [
      'a regular expression for each item of a list',
      ruled(list(text()), 'self.all(x, x.matches("^[a-z]+$"))'),
      'more than 100x',
    ],
    [
      'a rule on each entry of a map of lists',
      map(ruled(list(text(100)), 'self.all(x, x.contains("abc"))')),
      'more than 100x',
    ],
    [
      'a rule that is a little too expensive',
      ruled(list(text(10), 100_000), 'self.all(x, self.exists(y, y == x) || x.size() > 2)'),
      'more than 100x',
    ],
  ])('%s is refused', (_, schema, factor) => {
    const words = `estimated rule cost exceeds budget by factor of ${factor} ${advice}`;
    expect(textsOf(object({ spec: schema })).find((one) => one.includes('rule: Forbidden'))).toContain(
      `Forbidden: ${words}`,
    );
  });

  test.each<readonly [string, Schema]>([
    ['the loop inside a loop over ten short items', ruled(pairs(10, 20), nested)],
    ['a comparison of texts of any length', ruled(object({ a: text(), b: text() }), 'self.a == self.b')],
    ['an object that must not change', ruled(object({ a: list(text()) }), 'self == oldSelf')],
    ['a regular expression on one text', ruled(text(), 'self.matches("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")')],
    ['a loop over a list of any length', ruled(list(object({ a: { type: 'integer' } })), 'self.all(x, x.a > 0)')],
    [
      'a rule on each of 64 listeners',
      list(ruled(object({ name: text(63) }), 'has(self.name) && self.name != ""'), 64),
    ],
  ])('%s is accepted', (_, schema) => {
    expect(textsOf(object({ spec: schema }))).toEqual([]);
  });

  test('many rules that are cheap alone are refused together, with the most expensive named', () => {
    const one = ruled(list(object({ a: { type: 'integer' } }), 1_000_000), 'self.all(x, x.a > 0)');
    const names = Array.from({ length: 20 }, (_, i) => [`p${i}`, one] as const);
    const texts = textsOf(object(Object.fromEntries(names)));
    expect(texts.filter((words) => words.includes('contributed to estimated rule cost total'))).toHaveLength(4);
    expect(texts.at(-1)).toContain('schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire');
  });

  test('a definition that is stored with such a rule may change beside its schema', () => {
    const schema = object({ spec: ruled(pairs(), nested) });
    const crd = (labels: Record<string, string>, one: Schema): CustomResourceDefinition =>
      ({
        metadata: { name: 'things.example.com', labels },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: one } }],
        },
        status: { storedVersions: ['v1'] },
      }) as unknown as CustomResourceDefinition;
    const old = crd({}, schema);
    expect(validateCrd(old).length).toBeGreaterThan(0);
    expect(validateCrdUpdate(crd({ a: 'b' }, schema), old)).toEqual([]);
    const other = object({ spec: ruled(pairs(), nested), status: text() });
    expect(validateCrdUpdate(crd({}, other), old).length).toBeGreaterThan(0);
  });

  test('the definitions of the product are accepted', () => {
    for (const { spec } of crds()) {
      for (const { schema } of spec.versions) expect(textsOf(schema?.openAPIV3Schema ?? {})).toEqual([]);
    }
  });
});
