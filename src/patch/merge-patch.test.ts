import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freeze, isObject } from '../base/index.ts';
import { mergePatch } from './merge-patch.ts';
import { PatchError } from './patch-error.ts';

describe('the cases of RFC 7386 that start from an object', () => {
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 1 }, { a: { b: 1, c: null } }, { a: { b: 1 } }],
  ])('%j with %j', (object, patch, wanted) => {
    expect(mergePatch(freeze(object), freeze(patch))).toEqual(wanted);
  });
});

test('an unchanged part is shared', () => {
  const live = freeze({ spec: { replicas: 1, list: [1, 2] }, metadata: { labels: { a: 'b' } } });
  expect(mergePatch(live, { spec: { list: [1, 2] }, metadata: { labels: { a: 'b', z: null } } })).toBe(live);
  expect(mergePatch(live, { spec: { replicas: 2 } }).metadata).toBe(live.metadata);
});

test('a patch that is not an object is refused', () => {
  expect(() => mergePatch({}, [])).toThrow(
    'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
  );
  expect(() => mergePatch({}, null)).toThrow(PatchError);
});

/** The merge patch between two values without nulls. */
function difference(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  const patch: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) patch[key] = null;
  for (const key of Object.keys(after)) {
    patch[key] = Object.hasOwn(before, key) ? difference(before[key], after[key]) : after[key];
  }
  return patch;
}

test('property: a patch of the difference leads from one object to the other, and says nothing when repeated', () => {
  const { tree } = fc.letrec((tie) => ({
    leaf: fc.oneof(fc.integer(), fc.string({ maxLength: 3 }), fc.boolean()),
    map: fc.dictionary(fc.string({ maxLength: 2 }), tie('tree'), { maxKeys: 3 }),
    tree: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('map'), fc.array(tie('leaf'), { maxLength: 3 })),
  }));
  const objects = fc.dictionary(fc.string({ maxLength: 2 }), tree, { maxKeys: 4 });
  fc.assert(
    fc.property(objects, objects, (before, after) => {
      const [from, to] = [freeze(JSON.parse(JSON.stringify(before))), JSON.parse(JSON.stringify(after))];
      const patch = difference(from, to);
      const patched = mergePatch(from, patch);
      expect(patched).toEqual(to);
      expect(mergePatch(patched, patch)).toBe(patched);
    }),
  );
});
