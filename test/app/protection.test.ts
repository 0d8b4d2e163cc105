import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject, Ref } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, deployment } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

let live: Live;
beforeAll(async () => {
  live = await startLive();
  await live.untilReady();
});
afterAll(() => live.close());

const namespace = 'shop';
const shop: Ref = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
const guarded = configMap('guarded', {
  namespace,
  labels: { 'resourcetemplate.karmada.io/deletion-protected': 'Always' },
});

interface Terminating extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly message: string }[] };
}

async function saidOf(type: string): Promise<string | undefined> {
  const { status } = (await live.user.get(shop)) as Terminating;
  return status?.conditions?.find((condition) => condition.type === type)?.message;
}

test('a namespace with a protected object loses everything else, says what it waits for, and goes when it may', async () => {
  const loose = deployment('loose', { namespace });
  await live.user.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const object of [guarded, loose]) await live.user.create(object);
  await live.user.delete(shop);
  await until('the other is gone', async () => (await live.user.find(refOf(loose))) === undefined);
  await until('it says why', async () => (await saidOf('NamespaceDeletionContentFailure')) !== undefined);
  expect(await saidOf('NamespaceDeletionContentFailure')).toMatch(
    /^Failed to delete all resource types, 1 remaining: .*This resource is protected/,
  );
  expect(await saidOf('NamespaceContentRemaining')).toBe(
    'Some resources are remaining: configmaps has 1 resource instances',
  );
  await live.user.patch(refOf(guarded), { metadata: { labels: null } }, { type: 'merge' });
  await until('the namespace is gone', async () => (await live.user.find(shop)) === undefined);
}, 60_000);

test('the namespace of the Works of a cluster is not deleted by hand, but goes with its Cluster', async () => {
  const space: Ref = { apiVersion: 'v1', kind: 'Namespace', name: 'karmada-es-member2' };
  const why = /contains the Works of cluster member2.* delete the Cluster.* remove the label karmada\.io\/system first/;
  await expect(live.user.delete(space)).rejects.toThrow(why);
  expect((await live.user.get(space)).metadata.deletionTimestamp).toBeUndefined();
  await live.user.delete({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: 'member2' });
  await until('it is gone with the cluster', async () => (await live.user.find(space)) === undefined);
}, 60_000);

test('a definition of our own kinds is neither deleted nor taken out of service, not even by an administrator', async () => {
  for (const name of [
    'works.work.karmada.io',
    'clusters.cluster.karmada.io',
    'propagationpolicies.policy.karmada.io',
  ]) {
    const definition: Ref = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name };
    await expect(live.user.delete(definition)).rejects.toThrow(/The control plane needs this definition/);
    expect((await live.user.get(definition)).metadata.deletionTimestamp).toBeUndefined();
    const off = [{ op: 'replace', path: '/spec/versions/0/served', value: false }];
    await expect(live.user.patch(definition, off, { type: 'json' })).rejects.toThrow(/the control plane needs version/);
    await live.user.patch(definition, { metadata: { annotations: { team: 'platform' } } }, { type: 'merge' });
  }
});
