import { expect, test } from 'vitest';
import type { KubeObject, Work } from '../../api/index.ts';
import { configMap, deployment, memberCluster } from '../../../test/kit/objects.ts';
import { asDispatched } from '../../engine/index.ts';
import { projected, placedObjects } from './placed-objects.ts';

const work = (
  manifest: KubeObject,
  words: { readonly isSuspended?: boolean; readonly applied?: 'True' | 'False' } = {},
): Work => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: { name: manifest.metadata.name, namespace: 'karmada-es-member1' },
  spec: { workload: { manifests: [manifest] }, ...(words.isSuspended && { suspendDispatching: true }) },
  status: {
    conditions: [{ type: 'Applied', status: words.applied ?? 'True', reason: '', message: '', lastTransitionTime: '' }],
  },
});
const none = async (): Promise<ReadonlySet<string>> => new Set();
const nobody = { list: async (): Promise<undefined> => undefined, reported: none };
const answering = (...objects: readonly KubeObject[]) => ({ list: async () => objects, reported: none });

test('an applied object exists in the member, a refused one does not', async () => {
  const { placed, supposed } = await placedObjects(
    [work(configMap('a')), work(configMap('b'), { applied: 'False' })],
    nobody,
  );
  expect(placed).toEqual([
    { member: 'member1', object: expect.objectContaining({ data: { value: 'one' } }) as KubeObject },
  ]);
  expect(supposed).toEqual([]);
});

test('a dispatched object is in the member exactly as it was sent', async () => {
  const { placed } = await placedObjects([work(configMap('a'))], nobody);
  expect(placed).toEqual([{ member: 'member1', object: asDispatched(configMap('a')) }]);
  expect(JSON.stringify(placed[0]?.object)).toBe(JSON.stringify(asDispatched(configMap('a'))));
});

test('a member is asked about suspended objects; if it does not answer, the Work is believed and that is said', async () => {
  const isSuspended = work(configMap('a', { value: 'new' }), { isSuspended: true });
  const asked = await placedObjects([isSuspended], answering(configMap('a', { value: 'old' })));
  expect(asked.placed.map(({ object }) => (object as KubeObject & { data: unknown }).data)).toEqual([{ value: 'old' }]);
  expect(asked.supposed).toEqual([]);
  const gone = await placedObjects([isSuspended], answering());
  expect(gone).toEqual({ placed: [], supposed: [] });
  const unread = await placedObjects([isSuspended], nobody);
  expect(unread.supposed).toHaveLength(1);
  expect(unread.placed).toEqual(unread.supposed);
});

test('an object whose Work was not applied is looked for in its member', async () => {
  const refused = work(configMap('a', { value: 'new' }), { applied: 'False' });
  const { placed, supposed } = await placedObjects([refused], answering(configMap('a', { value: 'old' })));
  expect(placed).toHaveLength(1);
  expect(supposed).toEqual([]);
});

test('in a member that is down an object stands that was reported before, and no other', async () => {
  const down = {
    ...memberCluster('member1'),
    status: { conditions: [{ type: 'Ready', status: 'False', reason: '', message: '', lastTransitionTime: '' }] },
  } as KubeObject;
  const works = ['old', 'new'].map((name) => work(configMap(name), { applied: 'False' }));
  const reported = async (): Promise<ReadonlySet<string>> => new Set(['old']);
  const list = async (): Promise<never> => {
    throw new Error('a member that is down is not asked');
  };
  const { placed, supposed } = await placedObjects([down, ...works], { list, reported });
  expect(placed.map(({ object }) => object.metadata.name)).toEqual(['old']);
  expect(supposed).toEqual(placed);
});

test('defaults of a member are not seen, differences are', () => {
  const manifest = deployment('nginx', { image: 'nginx:2', replicas: 2 });
  const present = deployment('nginx', { image: 'nginx:1', replicas: 2 }) as KubeObject & { readonly spec: object };
  const defaulted = { ...present, spec: { ...present.spec, progressDeadlineSeconds: 600 }, status: { replicas: 2 } };
  const seen = projected(manifest, defaulted) as KubeObject & { spec: object };
  expect(seen.spec).toEqual(present.spec);
  expect(seen).not.toHaveProperty('status');
});
