import { expect, test } from 'vitest';
import type { KubeObject, Work } from '../../api/index.ts';
import { configMap, deployment, memberCluster } from '../../../test/kit/objects.ts';
import { asDispatched } from '../../engine/index.ts';
import { projected, standingOf } from './standing.ts';

const work = (
  manifest: KubeObject,
  words: { readonly held?: boolean; readonly applied?: 'True' | 'False' } = {},
): Work => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: { name: manifest.metadata.name, namespace: 'karmada-es-member1' },
  spec: { workload: { manifests: [manifest] }, ...(words.held && { suspendDispatching: true }) },
  status: {
    conditions: [{ type: 'Applied', status: words.applied ?? 'True', reason: '', message: '', lastTransitionTime: '' }],
  },
});
const none = async (): Promise<ReadonlySet<string>> => new Set();
const nobody = { list: async (): Promise<undefined> => undefined, reported: none };
const answering = (...objects: readonly KubeObject[]) => ({ list: async () => objects, reported: none });

test('an applied object exists in the member, a refused one does not', async () => {
  const { standing, supposed } = await standingOf(
    [work(configMap('a')), work(configMap('b'), { applied: 'False' })],
    nobody,
  );
  expect(standing).toEqual([
    { member: 'member1', object: expect.objectContaining({ data: { value: 'one' } }) as KubeObject },
  ]);
  expect(supposed).toEqual([]);
});

test('a dispatched object is in the member exactly as it was sent', async () => {
  const { standing } = await standingOf([work(configMap('a'))], nobody);
  expect(standing).toEqual([{ member: 'member1', object: asDispatched(configMap('a')) }]);
  expect(JSON.stringify(standing[0]?.object)).toBe(JSON.stringify(asDispatched(configMap('a'))));
});

test('a member is asked about what is held; where it cannot be, the Work is believed and that is said', async () => {
  const held = work(configMap('a', { value: 'new' }), { held: true });
  const asked = await standingOf([held], answering(configMap('a', { value: 'old' })));
  expect(asked.standing.map(({ object }) => (object as KubeObject & { data: unknown }).data)).toEqual([
    { value: 'old' },
  ]);
  expect(asked.supposed).toEqual([]);
  const gone = await standingOf([held], answering());
  expect(gone).toEqual({ standing: [], supposed: [] });
  const unread = await standingOf([held], nobody);
  expect(unread.supposed).toHaveLength(1);
  expect(unread.standing).toEqual(unread.supposed);
});

test('an object whose Work was not applied is looked for in its member', async () => {
  const refused = work(configMap('a', { value: 'new' }), { applied: 'False' });
  const { standing, supposed } = await standingOf([refused], answering(configMap('a', { value: 'old' })));
  expect(standing).toHaveLength(1);
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
  const { standing, supposed } = await standingOf([down, ...works], { list, reported });
  expect(standing.map(({ object }) => object.metadata.name)).toEqual(['old']);
  expect(supposed).toEqual(standing);
});

test('defaults of a member are not seen, differences are', () => {
  const manifest = deployment('nginx', { image: 'nginx:2', replicas: 2 });
  const present = deployment('nginx', { image: 'nginx:1', replicas: 2 }) as KubeObject & { readonly spec: object };
  const defaulted = { ...present, spec: { ...present.spec, progressDeadlineSeconds: 600 }, status: { replicas: 2 } };
  const seen = projected(manifest, defaulted) as KubeObject & { spec: object };
  expect(seen.spec).toEqual(present.spec);
  expect(seen).not.toHaveProperty('status');
});
