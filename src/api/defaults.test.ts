import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Schema } from './index.ts';
import { applyDefaults, crds } from './index.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    count: { type: 'integer', default: 1 },
    maybe: { type: 'string', nullable: true },
    plain: { type: 'string' },
    inner: { type: 'object', properties: { mode: { type: 'string', default: 'x' } } },
    whole: {
      type: 'object',
      default: {},
      properties: { on: { type: 'boolean', default: true }, name: { type: 'string' } },
    },
    items: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer', default: 7 } } } },
    byKey: { type: 'object', additionalProperties: { $ref: 'entry' } },
  },
};
const definitions = { entry: { type: 'object', properties: { size: { type: 'integer', default: 3 } } } } as const;
const filled = { count: 1, whole: { on: true } };

describe('defaults of a schema', () => {
  test.each([
    ['an absent member gets its default, and defaults of a default', {}, filled],
    ['what is there stays', { count: 0, whole: { on: false } }, { count: 0, whole: { on: false } }],
    ['a parent is not made', { plain: 'a' }, { plain: 'a', ...filled }],
    ['inside what is there', { inner: {} }, { inner: { mode: 'x' }, ...filled }],
    ['in every item of a list', { items: [{}, { n: 0 }] }, { items: [{ n: 7 }, { n: 0 }], ...filled }],
    ['in every entry of a map, through a reference', { byKey: { a: {} } }, { byKey: { a: { size: 3 } }, ...filled }],
    ['a null with a default becomes the default', { count: null }, filled],
    ['a null without a default is dropped', { plain: null }, filled],
    ['a null that may be null stays', { maybe: null }, { maybe: null, ...filled }],
    ['unknown members stay', { other: { x: null } }, { other: { x: null }, ...filled }],
  ])('%s', (_, value, expected) => {
    expect(applyDefaults<unknown>(value, schema, definitions)).toEqual(expected);
  });

  test('a value that needs none comes back as it is', () => {
    const value = Object.freeze({ ...filled, items: [{ n: 1 }], inner: { mode: 'y' } });
    expect(applyDefaults(value, schema, definitions)).toBe(value);
  });

  test('never throw, never change the input, and need one pass only', () => {
    const schemas = crds().map((crd) => crd.spec.versions[0]!.schema!.openAPIV3Schema!);
    fc.assert(
      fc.property(fc.constantFrom(schema, ...schemas), fc.json({ maxDepth: 4 }), (anySchema, text) => {
        const value: unknown = JSON.parse(text);
        const once = applyDefaults(value, anySchema, definitions);
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
        expect(applyDefaults(once, anySchema, definitions)).toBe(once);
      }),
    );
  });
});
