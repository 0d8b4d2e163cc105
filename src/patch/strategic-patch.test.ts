import { describe, expect, test } from 'vitest';
import type { Definitions } from '../api/index.ts';
import { freeze } from '../base/index.ts';
import { PatchError } from './patch-error.ts';
import { strategicMergePatch } from './strategic-patch.ts';

const byName = { 'x-kubernetes-patch-merge-key': 'name', 'x-kubernetes-patch-strategy': 'merge' } as const;
const definitions: Definitions = {
  Deployment: {
    type: 'object',
    properties: { metadata: { $ref: 'meta.ObjectMeta' }, spec: { $ref: 'apps.v1.DeploymentSpec' } },
    'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
  },
  'meta.ObjectMeta': {
    type: 'object',
    properties: {
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      finalizers: { type: 'array', items: { type: 'string' }, 'x-kubernetes-patch-strategy': 'merge' },
      ownerReferences: {
        type: 'array',
        items: { type: 'object' },
        'x-kubernetes-patch-merge-key': 'uid',
        'x-kubernetes-patch-strategy': 'merge',
      },
    },
  },
  'apps.v1.DeploymentSpec': {
    type: 'object',
    properties: {
      replicas: { type: 'integer' },
      strategy: { allOf: [{ $ref: 'apps.v1.Strategy' }], 'x-kubernetes-patch-strategy': 'retainKeys' },
      containers: { type: 'array', items: { $ref: 'core.v1.Container' }, ...byName },
      volumes: {
        type: 'array',
        items: { $ref: 'core.v1.Volume' },
        ...byName,
        'x-kubernetes-patch-strategy': 'merge,retainKeys',
      },
      odd: { type: 'array', items: { type: 'object' }, 'x-kubernetes-patch-strategy': 'merge' },
      replaced: { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-patch-strategy': 'replace' },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
  'apps.v1.Strategy': {
    type: 'object',
    properties: { type: { type: 'string' }, rollingUpdate: { type: 'object', properties: {} } },
  },
  'core.v1.Container': {
    type: 'object',
    properties: {
      name: { type: 'string' },
      image: { type: 'string' },
      args: { type: 'array', items: { type: 'string' } },
      env: { type: 'array', items: { type: 'object', properties: {} }, ...byName },
      ports: {
        type: 'array',
        items: { type: 'object', properties: {} },
        'x-kubernetes-patch-merge-key': 'containerPort',
        'x-kubernetes-patch-strategy': 'merge',
      },
    },
  },
  'core.v1.Volume': {
    type: 'object',
    properties: {
      name: { type: 'string' },
      emptyDir: { type: 'object', properties: {} },
      hostPath: { type: 'object', properties: {} },
    },
  },
};
const scope = { schema: { $ref: 'Deployment' }, definitions };

function patched(spec: object, patch: object): unknown {
  return (strategicMergePatch(freeze({ spec }), freeze({ spec: patch }), scope) as { spec: unknown }).spec;
}

function named(...names: readonly string[]): object[] {
  return names.map((name) => ({ name, image: name }));
}

function order(...names: readonly string[]): object[] {
  return names.map((name) => ({ name }));
}

describe('maps', () => {
  test.each([
    ['members merge', { replicas: 1, free: { a: 1 } }, { replicas: 2 }, { replicas: 2, free: { a: 1 } }],
    ['null removes', { replicas: 1 }, { replicas: null }, {}],
    ['null of what is absent', {}, { replicas: null, free: { a: null, b: 1 } }, { free: { b: 1 } }],
    [
      'free-form objects merge',
      { free: { a: { b: 1 } } },
      { free: { a: { c: [1] } } },
      { free: { a: { b: 1, c: [1] } } },
    ],
    ['free-form lists are replaced', { free: { a: [1, 2] } }, { free: { a: [3] } }, { free: { a: [3] } }],
    ['$patch: replace', { free: { a: 1, b: 2 } }, { free: { $patch: 'replace', c: 3 } }, { free: { c: 3 } }],
    ['$patch: delete', { free: { a: 1 } }, { free: { $patch: 'delete' } }, { free: {} }],
    ['$patch: delete of what is absent', { replicas: 1 }, { free: { $patch: 'delete' } }, { replicas: 1 }],
    ['strategy replace', { replaced: { a: '1' } }, { replaced: { b: '2' } }, { replaced: { b: '2' } }],
    ['another type replaces', { free: 'text' }, { free: { a: 1, b: null } }, { free: { a: 1 } }],
    [
      '$retainKeys drops what it does not list',
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      { strategy: { type: 'Recreate' } },
    ],
    [
      '$retainKeys exempts nulls',
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate', rollingUpdate: null } },
      { strategy: { type: 'Recreate' } },
    ],
  ])('%s', (_, spec, patch, wanted) => {
    expect(patched(spec, patch)).toEqual(wanted);
  });
});

describe('lists', () => {
  const abc = { containers: named('a', 'b', 'c') };
  test.each([
    ['merge by key', abc, { containers: [{ name: 'b', image: 'z' }] }, ['a', 'b:z', 'c']],
    ['what is new comes first', abc, { containers: [{ name: 'd', image: 'd' }] }, ['d', 'a', 'b', 'c']],
    ['the order of the patch holds', abc, { containers: order('c', 'a') }, ['b', 'c', 'a']],
    ['delete by key', abc, { containers: [{ name: 'b', $patch: 'delete' }] }, ['a', 'c']],
    ['delete what is absent', abc, { containers: [{ name: 'x', $patch: 'delete' }] }, ['a', 'b', 'c']],
    ['replace', abc, { containers: [{ $patch: 'replace' }, ...named('z')] }, ['z']],
    ['replace with nothing', abc, { containers: [{ $patch: 'replace' }] }, []],
    ['order given for all', abc, { '$setElementOrder/containers': order('c', 'b', 'a') }, ['c', 'b', 'a']],
    [
      'order with an addition, as set image and edit send it',
      abc,
      { '$setElementOrder/containers': order('a', 'd', 'b', 'c'), containers: named('d') },
      ['a', 'd', 'b', 'c'],
    ],
    [
      'elements that only the server has stay near their neighbours',
      abc,
      { '$setElementOrder/containers': order('d', 'c'), containers: named('d') },
      ['d', 'a', 'b', 'c'],
    ],
    [
      'order and deletion',
      abc,
      { '$setElementOrder/containers': order('c', 'a'), containers: [{ name: 'b', $patch: 'delete' }] },
      ['c', 'a'],
    ],
    [
      'order, deletion and addition',
      { containers: named('a', 'd', 'b') },
      {
        '$setElementOrder/containers': order('c', 'd', 'a'),
        containers: [{ name: 'a', $patch: 'delete' }, ...named('c')],
      },
      ['b', 'c', 'd'],
    ],
    [
      'order of a list that is new',
      {},
      { '$setElementOrder/containers': order('b', 'a'), containers: named('b', 'a') },
      ['b', 'a'],
    ],
  ])('%s', (_, spec, patch, wanted) => {
    const { containers } = patched(spec, patch) as { containers: { name: string; image: string }[] };
    expect(containers.map(({ name, image }) => (image === name ? name : `${name}:${image}`))).toEqual(wanted);
  });

  test.each([
    ['a list without strategy is replaced', [{ name: 'a', args: ['x', 'y'] }], { args: ['z'] }, { args: ['z'] }],
    [
      'a list inside an element merges',
      [{ name: 'a', env: order('x', 'y') }],
      { env: [{ name: 'y', value: '1' }] },
      { env: [{ name: 'x' }, { name: 'y', value: '1' }] },
    ],
    [
      'numbers are keys too',
      [{ name: 'a', ports: [{ containerPort: 80 }] }],
      { ports: [{ containerPort: 80, name: 'web' }] },
      { ports: [{ containerPort: 80, name: 'web' }] },
    ],
  ])('%s', (_, containers, patch, wanted) => {
    expect(patched({ containers }, { containers: [{ name: 'a', ...patch }] })).toEqual({
      containers: [{ name: 'a', ...wanted }],
    });
  });

  test('merge,retainKeys: an element changes its source', () => {
    const volumes = [{ name: 'v', emptyDir: {} }];
    const patch = { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] };
    expect(patched({ volumes }, patch)).toEqual({ volumes: [{ name: 'v', hostPath: { path: '/x' } }] });
  });

  test.each([
    ['scalars unite', ['a', 'b'], { finalizers: ['b', 'c'] }, ['a', 'b', 'c']],
    ['what is new comes first of the order it shares', ['a'], { finalizers: ['c', 'a'] }, ['c', 'a']],
    ['deletion', ['a', 'b'], { '$deleteFromPrimitiveList/finalizers': ['a', 'x'] }, ['b']],
    [
      'deletion, addition and order',
      ['a', 'b'],
      { '$deleteFromPrimitiveList/finalizers': ['a'], '$setElementOrder/finalizers': ['c', 'b'], finalizers: ['c'] },
      ['c', 'b'],
    ],
  ])('%s', (_, finalizers, patch, wanted) => {
    const object = freeze({ metadata: { finalizers } });
    expect(strategicMergePatch(object, { metadata: patch }, scope).metadata.finalizers).toEqual(wanted);
  });

  test('directives in a list that is replaced have no meaning', () => {
    const containers = [{ name: 'a', args: ['x'] }];
    const patch = { containers: [{ name: 'a', args: [{ $patch: 'delete', k: null, v: 1 }] }] };
    expect(patched({ containers }, patch)).toEqual({ containers: [{ name: 'a', args: [{ v: 1 }] }] });
  });

  test('directives inside of new elements have no meaning either', () => {
    const env = [{ name: 'x', value: '1', $patch: 'replace' }];
    expect(patched({ containers: named('a') }, { containers: [{ name: 'n', env }] })).toEqual({
      containers: [{ name: 'n', env: [{ name: 'x', value: '1' }] }, ...named('a')],
    });
  });

  test('directives of new elements do not reach the object', () => {
    const patch = { containers: [{ name: 'n', '$setElementOrder/env': order('x'), env: order('x'), args: null }] };
    expect(patched({}, patch)).toEqual({ containers: [{ name: 'n', env: order('x') }] });
  });
});

describe('sharing', () => {
  const live = freeze({ metadata: { labels: { a: 'b' } }, spec: { replicas: 1, containers: named('a', 'b') } });

  test('a patch that changes nothing returns the object itself', () => {
    const patch = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: named('b'), '$setElementOrder/containers': order('a', 'b') },
    };
    expect(strategicMergePatch(live, patch, scope)).toBe(live);
  });

  test('elements that are not named are shared', () => {
    const result = strategicMergePatch(live, { spec: { containers: [{ name: 'b', image: 'z' }] } }, scope);
    expect(result.spec.containers[0]).toBe(live.spec.containers[0]);
    expect(result.metadata).toBe(live.metadata);
  });
});

describe('failures', () => {
  test.each([
    [400, {}, { strategy: 1, $retainKeys: 'x' }, 'invalid patch format of retainKeys'],
    [400, {}, { $retainKeys: ['replicas'], strategy: {} }, 'invalid patch format of retainKeys'],
    [400, {}, { '$setElementOrder-x': [] }, 'invalid patch format of setElementOrder list'],
    [400, {}, { $deleteFromPrimitiveList: [] }, 'invalid patch format of primitive list'],
    [500, {}, { '$setElementOrder/containers': 'x' }, 'expected a []interface {}, but received a string'],
    [
      500,
      { containers: named('a') },
      { containers: [{ image: 'x' }] },
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      500,
      { containers: named('a') },
      { containers: [{ $patch: 'delete' }] },
      'map: map[$patch:delete] does not contain declared merge key: name',
    ],
    [
      500,
      { containers: named('a') },
      { containers: [{ name: 'a', $patch: 'merge' }] },
      'merging lists cannot yet be specified in the patch',
    ],
    [
      500,
      { containers: named('a') },
      { containers: [{ name: 'a', $patch: 'x' }] },
      'unknown patch type: x in map: map[$patch:x name:a]',
    ],
    [500, { free: {} }, { free: { $patch: 'merge' } }, 'unknown patch type: merge in map: map[$patch:merge]'],
    [
      500,
      { containers: named('a') },
      { containers: ['a'] },
      'list element types are not identical: [[map[image:a name:a]] [a]]',
    ],
    [500, { odd: [{ a: 1 }] }, { odd: [{ b: 1 }] }, 'cannot merge lists without merge key for '],
    [500, { other: {} }, { other: {} }, 'unable to find api field in struct DeploymentSpec for the json field "other"'],
    [
      500,
      { containers: named('a', 'b') },
      { '$setElementOrder/containers': order('a', 'b'), containers: order('b', 'a') },
      "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
    ],
    [
      500,
      { containers: named('a') },
      { '$setElementOrder/containers': order('a'), containers: [{ name: 'a' }, { $patch: 'replace' }] },
      "The order in patch list:\n[map[name:a] map[$patch:replace]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    ],
  ])('%i %j with %j', (code, spec, patch, message) => {
    let failure: unknown;
    try {
      patched(spec, patch);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(PatchError);
    expect(failure).toMatchObject({ code, message });
  });

  test('lists of lists are refused with 422', () => {
    const live = freeze({ metadata: { finalizers: [['a']] } });
    expect(() => strategicMergePatch(live, { metadata: { finalizers: [['b']] } }, scope)).toThrow(PatchError);
  });
});
