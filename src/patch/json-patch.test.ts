import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freeze } from '../base/index.ts';
import type { Json } from '../base/index.ts';
import { jsonPatch } from './json-patch.ts';
import { PatchError } from './patch-error.ts';

const live = freeze({
  metadata: { labels: { a: '1', 'b/c': '2', 'd~e': '3' } },
  list: [1, 2, 3],
  deep: { x: { y: 1 } },
});

function failureOf(object: object, patch: unknown): PatchError {
  try {
    jsonPatch(object, patch);
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error('the patch was applied');
}

describe('operations', () => {
  test.each([
    ['add a member', { op: 'add', path: '/new', value: 1 }, { ...live, new: 1 }],
    ['add an element', { op: 'add', path: '/list/1', value: 9 }, { ...live, list: [1, 9, 2, 3] }],
    ['add at the end', { op: 'add', path: '/list/-', value: 9 }, { ...live, list: [1, 2, 3, 9] }],
    ['add after the last', { op: 'add', path: '/list/3', value: 9 }, { ...live, list: [1, 2, 3, 9] }],
    ['add before the last', { op: 'add', path: '/list/-2', value: 9 }, { ...live, list: [1, 2, 9, 3] }],
    ['add without a value', { op: 'add', path: '/new' }, { ...live, new: null }],
    ['remove a member', { op: 'remove', path: '/deep' }, { metadata: live.metadata, list: live.list }],
    ['remove an element', { op: 'remove', path: '/list/0' }, { ...live, list: [2, 3] }],
    ['remove from the end', { op: 'remove', path: '/list/-1' }, { ...live, list: [1, 2] }],
    ['replace', { op: 'replace', path: '/deep/x/y', value: 2 }, { ...live, deep: { x: { y: 2 } } }],
    ['replace what is missing', { op: 'replace', path: '/other', value: 2 }, { ...live, other: 2 }],
    ['replace everything', { op: 'replace', path: '', value: { a: 1 } }, { a: 1 }],
    ['move', { op: 'move', from: '/deep/x', path: '/x' }, { ...live, deep: {}, x: { y: 1 } }],
    ['move in a list', { op: 'move', from: '/list/0', path: '/list/2' }, { ...live, list: [2, 3, 1] }],
    ['copy', { op: 'copy', from: '/deep/x', path: '/x' }, { ...live, x: { y: 1 } }],
    ['copy what is missing', { op: 'copy', from: '/nothing', path: '/x' }, { ...live, x: null }],
    ['test passes', { op: 'test', path: '/deep', value: { x: { y: 1 } } }, live],
    ['test of the whole', { op: 'test', path: '', value: live }, live],
    ['test of absence', { op: 'test', path: '/nothing', value: null }, live],
  ])('%s', (_, operation, wanted) => {
    expect(jsonPatch(live, [operation])).toEqual(wanted);
  });

  test('escapes: ~1 is a slash, ~0 a tilde', () => {
    const patched = jsonPatch(live, [
      { op: 'remove', path: '/metadata/labels/b~1c' },
      { op: 'replace', path: '/metadata/labels/d~0e', value: '4' },
    ]);
    expect(patched.metadata.labels).toEqual({ a: '1', 'd~e': '4' });
  });

  test('later operations see earlier ones, and a copy is a copy', () => {
    const patched = jsonPatch(live, [
      { op: 'add', path: '/deep/z', value: { n: 1 } },
      { op: 'copy', from: '/deep/z', path: '/z' },
      { op: 'replace', path: '/deep/z/n', value: 2 },
    ]);
    expect(patched).toEqual({ ...live, deep: { x: { y: 1 }, z: { n: 2 } }, z: { n: 1 } });
  });

  test('a part that the patch does not reach is shared', () => {
    const patched = jsonPatch(live, [{ op: 'replace', path: '/deep/x/y', value: 2 }]);
    expect(patched.metadata).toBe(live.metadata);
    expect(patched.list).toBe(live.list);
  });

  test('keys of the prototype are members like others', () => {
    expect(failureOf(live, [{ op: 'remove', path: '/constructor' }]).detail).toContain('nonexistent key: constructor');
    const patched = jsonPatch(live, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
    expect(Object.keys(patched)).toContain('__proto__');
    expect((patched as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

function many(length: number): object[] {
  return Array.from({ length }, () => ({ op: 'add', path: '/list/-', value: 1 }));
}

describe('failures', () => {
  test.each([
    [{ op: 'add', path: '/a/b', value: 1 }, 'add operation does not apply: doc is missing path: "/a/b": missing value'],
    [{ op: 'add', value: 1 }, 'add operation failed to decode path: missing value'],
    [{ op: 'add', path: '', value: {} }, 'add operation does not apply: doc is missing path: "": missing value'],
    [
      { op: 'add', path: '/list/9', value: 1 },
      "error in add for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
    ],
    [
      { op: 'add', path: '/list/x', value: 1 },
      `error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
    ],
    [
      { op: 'remove', path: '/nothing' },
      "error in remove for path: '/nothing': Unable to remove nonexistent key: nothing: missing value",
    ],
    [
      { op: 'remove', path: '/list/3' },
      "error in remove for path: '/list/3': Unable to access invalid index: 3: invalid index referenced",
    ],
    [{ op: 'remove', path: '/list/-4' }, /invalid index: -4/],
    [
      { op: 'replace', path: '/list/7', value: 1 },
      'replace operation does not apply: doc is missing key: /list/7: missing value',
    ],
    [{ op: 'replace', path: '/a/b', value: 1 }, /doc is missing path: \/a\/b/],
    [{ op: 'replace', path: '', value: 'text' }, /must be object or array/],
    [
      { op: 'move', from: '/nothing', path: '/x' },
      "error in move for path: 'nothing': Unable to remove nonexistent key: nothing: missing value",
    ],
    [{ op: 'move', from: '/deep', path: '/deep/x' }, /doc is missing destination path: \/deep\/x/],
    [{ op: 'move', path: '/x' }, /missing from field/],
    [{ op: 'copy', from: '/a/b', path: '/x' }, /doc is missing from path: \/a\/b/],
    [{ op: 'test', path: '/deep/x/y', value: 2 }, 'testing value /deep/x/y failed: test failed'],
    [{ op: 'test', path: '/deep/x/y' }, 'testing value /deep/x/y failed: test failed'],
    [{ op: 'test', path: '/a/b', value: 2 }, 'test operation does not apply: is missing path: /a/b: missing value'],
    [{ op: 'test', path: '/list/8', value: 2 }, /error in test for path: '\/list\/8'/],
    [{ op: 'spam', path: '/x' }, 'Unexpected kind: spam'],
    [{ path: '/x' }, 'Unexpected kind: unknown'],
  ])('%j', (operation, words) => {
    const failure = failureOf(live, [operation]);
    expect(failure).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
    if (typeof words === 'string') expect(failure.detail).toBe(words);
    else expect(failure.detail).toMatch(words);
  });

  test.each([
    [{}, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [[1], 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    [
      [{ op: 'add', path: 1 }],
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    ],
  ])('malformed: %j', (patch, message) => {
    expect(failureOf(live, patch)).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  test('at most 10,000 operations', () => {
    expect(jsonPatch(live, many(10_000)).list).toHaveLength(10_003);
    expect(failureOf(live, many(10_001))).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });

  test('copies that double an object are stopped', () => {
    const doubling = Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '/deep', path: `/deep/x/n${i}` }));
    expect(failureOf(live, doubling).detail).toMatch(/accumulated size increase of copy is \d+, exceeding/);
  });
});

/** The operations that turn one value into another, found by comparing members. */
function operationsBetween(before: Json, after: Json, path = ''): object[] {
  if (!isMap(before) || !isMap(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ op: 'replace', path, value: after }];
  }
  const pointer = (key: string) => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return [
    ...Object.keys(before).flatMap((key) => (Object.hasOwn(after, key) ? [] : [{ op: 'remove', path: pointer(key) }])),
    ...Object.keys(after).flatMap((key) =>
      Object.hasOwn(before, key)
        ? operationsBetween(before[key] ?? null, after[key] ?? null, pointer(key))
        : [{ op: 'add', path: pointer(key), value: after[key] }],
    ),
  ];
}

function isMap(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('properties', () => {
  const objects = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });

  test('the operations between two objects lead from one to the other', () => {
    fc.assert(
      fc.property(objects, objects, (before, after) => {
        const plainBefore = freeze(JSON.parse(JSON.stringify(before)));
        const plainAfter = JSON.parse(JSON.stringify(after));
        expect(jsonPatch(plainBefore, operationsBetween(plainBefore, plainAfter))).toEqual(plainAfter);
      }),
    );
  });

  test('anything at all is applied or refused with a PatchError', () => {
    const pointers = fc.constantFrom(
      '',
      '/',
      '/list',
      '/list/0',
      '/list/-',
      '/deep/x',
      '/deep/x/y/z',
      'x',
      '/__proto__/a',
    );
    const operations = fc.record(
      {
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'other'),
        path: pointers,
        from: pointers,
        value: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: ['op'] },
    );
    fc.assert(
      fc.property(fc.array(operations, { maxLength: 8 }), (patch) => {
        try {
          jsonPatch(live, patch);
        } catch (error) {
          expect(error).toBeInstanceOf(PatchError);
        }
      }),
    );
  });
});
