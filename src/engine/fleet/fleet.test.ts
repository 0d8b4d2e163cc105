import { expect, test } from 'vitest';
import { keyOf } from '../../api/index.ts';
import type { Cluster, KubeObject } from '../../api/index.ts';
import { memberCluster } from '../../../test/kit/objects.ts';
import { modelStage } from '../../../test/kit/model.ts';
import { decideNamespace, gatherNamespace, workRef } from './namespace.ts';

const cluster = (name: string) => ({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name });
const namespace = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...(Object.keys(labels).length > 0 && { labels }) },
});
const ref = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', name });

test('a member gets a namespace for its Works and a finalizer, and is tainted while it is not ready', async () => {
  const stage = await modelStage({ members: ['member1'] });
  await stage.settle();
  expect(await stage.get(ref('karmada-es-member1'))).toMatchObject({
    metadata: { labels: { 'karmada.io/system': 'true' } },
  });
  const member = (await stage.get(cluster('member1'))) as Cluster;
  expect(member.metadata.finalizers).toEqual(['karmada.io/cluster-controller']);
  expect(member.spec.taints ?? []).toEqual([]);

  const ready = (status: string): unknown => ({
    ...member.status,
    conditions: [{ type: 'Ready', status, reason: 'x', message: '', lastTransitionTime: '' }],
  });
  await stage.writeStatus(cluster('member1'), ready('False'));
  await stage.settle();
  expect(((await stage.get(cluster('member1'))) as Cluster).spec.taints).toMatchObject([
    { key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' },
  ]);
  await stage.writeStatus(cluster('member1'), ready('Unknown'));
  await stage.settle();
  expect(((await stage.get(cluster('member1'))) as Cluster).spec.taints).toMatchObject([
    { key: 'cluster.karmada.io/unreachable' },
  ]);
  await stage.writeStatus(cluster('member1'), ready('True'));
  await stage.settle();
  expect(((await stage.get(cluster('member1'))) as Cluster).spec.taints ?? []).toEqual([]);
});

test('namespaces are spread to every member, and go with the namespace', async () => {
  const stage = await modelStage({ members: ['member1', 'member2'] });
  for (const object of [
    namespace('shop', { team: 'a' }),
    namespace('default'),
    namespace('kube-x'),
    namespace('karmada-system'),
    namespace('private', { 'namespace.karmada.io/skip-auto-propagation': 'true' }),
  ]) {
    await stage.apply(object);
  }
  await stage.settle();
  expect(await stage.inMember('member1', ref('shop'))).toMatchObject({
    metadata: { labels: { team: 'a', 'karmada.io/managed': 'true' } },
  });
  for (const name of ['default', 'kube-x', 'karmada-system', 'private'])
    expect(await stage.inMember('member1', ref(name)), name).toBeUndefined();

  await stage.apply(memberCluster('member3'));
  await stage.settle();
  expect(await stage.inMember('member3', ref('shop'))).toBeDefined();

  await stage.delete(ref('shop'));
  await stage.settle();
  expect(await stage.inMember('member1', ref('shop'))).toBeUndefined();
});

test('a namespace goes to a new member once the namespace of its Works exists', async () => {
  const stage = await modelStage({ members: [] });
  await stage.apply(namespace('shop'));
  await stage.apply(memberCluster('member1'));
  const asked = () => {
    const facts = gatherNamespace(stage.world, keyOf(ref('shop')));
    return facts && decideNamespace(facts);
  };
  expect(asked()?.actions).toEqual([]);
  await stage.apply(namespace('karmada-es-member1'));
  expect(asked()?.actions).toHaveLength(1);
});

test('the Work of a namespace says when it was changed, as any other', async () => {
  const stage = await modelStage({ members: ['member1'] });
  const changedAt = async (): Promise<string | undefined> => {
    const found = await stage.get(workRef(namespace('shop'), 'member1'));
    expect(found).toBeDefined();
    return found?.metadata.annotations?.['sluice.dev/changed-at'];
  };
  await stage.apply(namespace('shop', { team: 'a' }));
  await stage.settle();
  expect(await changedAt()).toBeUndefined();
  await stage.apply(namespace('shop', { team: 'b' }));
  await stage.settle();
  expect(await changedAt()).toBe(stage.world.now);
});

test('a namespace that a member has already is taken over when it says so itself: no policy could', async () => {
  const stage = await modelStage({ members: ['member1'] });
  stage.world.write({ verb: 'create', object: namespace('shop', { own: 'yes' }), at: 'member1' });
  await stage.apply(namespace('shop', { team: 'a' }));
  await stage.settle();
  expect((await stage.inMember('member1', ref('shop')))?.metadata.labels).toEqual({ own: 'yes' });
  await stage.edit(ref('shop'), ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, annotations: { 'work.karmada.io/conflict-resolution': 'overwrite' } },
  }));
  await stage.settle();
  expect((await stage.inMember('member1', ref('shop')))?.metadata.labels).toMatchObject({ own: 'yes', team: 'a' });
});

test('a leaving member gives up its Works, then goes', async () => {
  const stage = await modelStage({ members: ['member1', 'member2'] });
  await stage.apply(namespace('shop'));
  await stage.settle();
  await stage.delete(cluster('member1'));
  await stage.settle();
  expect(await stage.get(cluster('member1'))).toBeUndefined();
  expect(await stage.get(ref('karmada-es-member1'))).toBeUndefined();
  expect(await stage.inMember('member1', ref('shop'))).toBeUndefined();
  expect(await stage.inMember('member2', ref('shop'))).toBeDefined();
});

test('a namespace that is made again while a member still waits for the old one to go is spread there, too', async () => {
  const stage = await modelStage({ members: ['member1'] });
  const ready = async (status: string): Promise<void> => {
    const member = (await stage.get(cluster('member1'))) as Cluster;
    const condition = { type: 'Ready', status, reason: 'x', message: '', lastTransitionTime: '' };
    await stage.writeStatus(cluster('member1'), { ...member.status, conditions: [condition] });
    await stage.settle();
  };
  await stage.apply(namespace('shop', { team: 'a' }));
  await stage.settle();
  await ready('False');
  await stage.delete(ref('shop'));
  await stage.settle();
  const leaving = await stage.get(workRef(namespace('shop'), 'member1'));
  expect(leaving?.metadata.deletionTimestamp).toBeDefined();
  await stage.apply(namespace('shop', { team: 'b' }));
  await stage.settle();
  expect(await stage.get(workRef(namespace('shop'), 'member1'))).toEqual(leaving);
  await ready('True');
  expect(await stage.inMember('member1', ref('shop'))).toMatchObject({ metadata: { labels: { team: 'b' } } });
});
