/** No stored object, however it came into the store, stops the start or the controllers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject, Ref } from '../../src/api/index.ts';
import { clusterApi, policyApi, refOf, workApi } from '../../src/api/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { deployment, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

let live: Live;
beforeAll(async () => {
  live = await startLive();
  await live.untilReady();
  await live.apply(policy('pp', { to: ['member1', 'member2'] }), deployment('nginx'));
  await live.settle();
});
afterAll(() => live.close());

interface Stored {
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespace?: string;
}

const kinds: readonly Stored[] = [
  { kind: 'Work', apiVersion: workApi, plural: 'works', namespace: 'karmada-es-member1' },
  { kind: 'ResourceBinding', apiVersion: 'work.karmada.io/v1alpha2', plural: 'resourcebindings', namespace: 'default' },
  { kind: 'ClusterResourceBinding', apiVersion: 'work.karmada.io/v1alpha2', plural: 'clusterresourcebindings' },
  { kind: 'PropagationPolicy', apiVersion: policyApi, plural: 'propagationpolicies', namespace: 'default' },
  { kind: 'ClusterPropagationPolicy', apiVersion: policyApi, plural: 'clusterpropagationpolicies' },
  { kind: 'OverridePolicy', apiVersion: policyApi, plural: 'overridepolicies', namespace: 'default' },
  { kind: 'RolloutPolicy', apiVersion: policyApi, plural: 'rolloutpolicies', namespace: 'default' },
  { kind: 'ClusterRolloutPolicy', apiVersion: policyApi, plural: 'clusterrolloutpolicies' },
  { kind: 'Cluster', apiVersion: clusterApi, plural: 'clusters' },
];

const specs: readonly unknown[] = [
  undefined,
  null,
  {},
  [],
  7,
  'x',
  { workload: {} },
  { workload: { manifests: [{}] } },
  { resource: 1 },
  { resourceSelectors: [{}] },
  { clusters: {} },
];

/** Puts an object into the store as an older release or a restored file would have left it there. */
async function put({ kind, apiVersion, plural, namespace }: Stored, name: string, body: object): Promise<Ref> {
  const group = apiVersion.slice(0, apiVersion.indexOf('/'));
  const key = ['/registry', group, plural, ...(namespace ? [namespace] : []), name].join('/');
  const metadata = {
    name,
    ...(namespace && { namespace }),
    uid: `uid-${kind}-${name}`,
    creationTimestamp: '2026-01-01T00:00:00Z',
    generation: 1,
  };
  await live.site.store.write({
    verb: 'put',
    key,
    value: (revision: number) => ({
      apiVersion,
      kind,
      metadata: { ...metadata, resourceVersion: String(revision) },
      ...body,
    }),
  });
  return { apiVersion, kind, name, ...(namespace && { namespace }) };
}

async function uidIn(member: string, object: KubeObject): Promise<string | undefined> {
  return (await live.member(member).find(refOf(object)))?.metadata.uid;
}

describe('arbitrary stored objects', () => {
  test('the controllers start, everything else works, and every bad object says what is wrong and can be deleted', async () => {
    const before = await uidIn('member1', deployment('nginx'));
    await live.stop();
    const refs: Ref[] = [];
    for (const kind of kinds) {
      for (const [i, spec] of specs.entries()) {
        const body = { ...(spec !== undefined && { spec }), ...(i % 2 === 1 && { status: 'none' }) };
        refs.push(await put(kind, `bad-${i}`, body));
      }
    }
    await live.start();
    const later = deployment('later');
    await live.apply(later);
    await until('a new template reaches its members', async () => (await uidIn('member2', later)) !== undefined);
    expect(await uidIn('member1', deployment('nginx'))).toBe(before);
    await until('a Work without a workload says so', async () => {
      const work = await live.user.get({
        apiVersion: workApi,
        kind: 'Work',
        namespace: 'karmada-es-member1',
        name: 'bad-2',
      });
      const { status } = work as KubeObject & { status?: { conditions?: { type: string; message: string }[] } };
      return (
        status?.conditions?.some(
          ({ type, message }) => type === 'Accepted' && message.includes('spec.workload: Required'),
        ) === true
      );
    });
    await until('there are events', async () => {
      const { items } = await live.user.listAll<KubeObject & { reason: string }>({ apiVersion: 'v1', kind: 'Event' });
      return items.some(({ reason }) => reason === 'Unreadable');
    });
    await live.restart();
    for (const ref of refs) await live.user.delete(ref);
    await until('all of them are gone', async () => {
      for (const ref of refs) if (await live.user.find(ref)) return false;
      return true;
    });
    await live.settle();
    expect(await uidIn('member1', deployment('nginx'))).toBe(before);
  }, 120_000);

  test('the hub refuses a Work without what the controllers read', async () => {
    for (const spec of [{}, { workload: {} }, { workload: { manifests: null } }]) {
      const metadata = { name: 'refused', namespace: 'karmada-es-member1' };
      const work = { apiVersion: workApi, kind: 'Work', metadata, spec };
      await expect(live.user.create(work as KubeObject)).rejects.toThrow(/spec\.workload/);
    }
  });
});
