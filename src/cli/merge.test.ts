import { expect, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import { appliedTo, remembering, serverApplierOf } from './merge.ts';

const object = (spec: object, last?: object): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'nginx',
      ...(last && {
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ spec: last }) },
      }),
    },
    spec,
  }) as KubeObject;

const specOf = (live: KubeObject, manifest: KubeObject): unknown =>
  (appliedTo(live, manifest) as KubeObject & { spec: unknown }).spec;

test.each<[string, { live: object; last?: object; wanted: object; spec: object }]>([
  [
    'defaults stay',
    { live: { replicas: 1, progress: 600 }, wanted: { replicas: 2 }, spec: { replicas: 2, progress: 600 } },
  ],
  [
    'what was said last and is not any more goes',
    { live: { a: 1, b: 2 }, last: { a: 1, b: 2 }, wanted: { a: 1 }, spec: { a: 1 } },
  ],
  ['null takes away', { live: { a: 1, b: 2 }, wanted: { b: null }, spec: { a: 1 } }],
  [
    'lists of named things are merged by name',
    {
      live: {
        containers: [
          { name: 'a', image: '1', policy: 'Always' },
          { name: 'injected', image: 'x' },
        ],
      },
      last: { containers: [{ name: 'a', image: '1' }] },
      wanted: { containers: [{ name: 'a', image: '2' }] },
      spec: {
        containers: [
          { name: 'a', image: '2', policy: 'Always' },
          { name: 'injected', image: 'x' },
        ],
      },
    },
  ],
  [
    'a named thing that was said last and is not any more goes',
    {
      live: { containers: [{ name: 'a' }, { name: 'b' }] },
      last: { containers: [{ name: 'a' }, { name: 'b' }] },
      wanted: { containers: [{ name: 'a' }] },
      spec: { containers: [{ name: 'a' }] },
    },
  ],
  ['other lists are replaced', { live: { args: ['a', 'b'] }, wanted: { args: ['c'] }, spec: { args: ['c'] } }],
])('%s', (_, { live, last, wanted, spec }) => expect(specOf(object(live, last), object(wanted))).toEqual(spec));

test('the status of a manifest is nobody`s wish', () => {
  const live = { ...object({}), status: { replicas: 1 } } as KubeObject;
  expect(appliedTo(live, { ...object({}), status: { replicas: 9 } } as KubeObject)).toMatchObject({
    status: { replicas: 1 },
  });
});

const key = 'kubectl.kubernetes.io/last-applied-configuration';

test('a manifest is remembered in the words of kubectl', () => {
  const manifest = {
    ...object({ b: '<&>', a: [{ d: 1, c: 2 }] }),
    metadata: { name: 'nginx', annotations: { [key]: 'old' } },
  };
  expect(remembering(manifest).metadata.annotations).toEqual({
    [key]:
      String.raw`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{},"name":"nginx"},"spec":{"a":[{"c":2,"d":1}],"b":"\u003c\u0026\u003e"}}` +
      '\n',
  });
});

test('server-side apply is known by its record, unless kubectl left a note', () => {
  const by = (manager: string, operation: string): KubeObject => ({
    ...object({}),
    metadata: { name: 'nginx', managedFields: [{ manager, operation }] },
  });
  expect(serverApplierOf(by('flux', 'Apply'))).toBe('flux');
  expect(serverApplierOf(by('kubectl-client-side-apply', 'Update'))).toBeUndefined();
  const noted = by('flux', 'Apply');
  expect(serverApplierOf({ ...noted, metadata: { ...noted.metadata, annotations: { [key]: '{}' } } })).toBeUndefined();
});
