import { expect, test } from 'vitest';
import type { Cluster, KubeObject } from '../../api/index.ts';
import { modelStage } from '../../../test/kit/model.ts';
import type { ModelStage } from '../../../test/kit/model.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../../../test/kit/objects.ts';
import { plan } from './plan.ts';
import type { Plan } from './plan.ts';

async function stageWith(...objects: readonly KubeObject[]): Promise<ModelStage> {
  const stage = await modelStage({});
  for (const object of objects) {
    stage.applyNow(object);
    await stage.settle();
  }
  return stage;
}

const nginx = deployment('nginx');
const slow = deployment('nginx', { outcome: 'NeverReady' });

const lines = ({ effects }: Plan): readonly string[] =>
  effects.map(({ template, cluster, effect, when, after = '' }) =>
    `${template.name} ${cluster} ${effect} ${when} ${after}`.trim(),
  );

test('the old copy of a move is deleted after its replacement is healthy', async () => {
  const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx);
  expect(lines(plan(world, { apply: [policy('pp', { to: 'member2' })] }))).toEqual([
    'nginx member1 delete now healthy',
    'nginx member2 create now',
  ]);
});

test('a policy that asks for immediate moves deletes at once', async () => {
  const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx);
  const wanted = policy('pp', { to: 'member2' });
  const immediate = { ...wanted, metadata: { ...wanted.metadata, annotations: { 'sluice.dev/move': 'immediate' } } };
  expect(lines(plan(world, { apply: [immediate] }))).toEqual(['nginx member1 delete now', 'nginx member2 create now']);
});

test('deleting a template waits for nothing', async () => {
  const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx);
  expect(
    lines(
      plan(world, { delete: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' }] }),
    ),
  ).toEqual(['nginx member1 delete now']);
});

test('replicas that are divided leave after the others are ready', async () => {
  const over = (...clusterNames: readonly string[]) => ({
    clusterAffinity: { clusterNames },
    replicaScheduling: { replicaSchedulingType: 'Divided' as const },
  });
  const { world } = await stageWith(policy('pp', { placement: over('member1') }), nginx);
  expect(lines(plan(world, { apply: [policy('pp', { placement: over('member1', 'member2') })] }))).toEqual([
    'nginx member2 create now',
    'nginx member1 scale now healthy',
  ]);
});

test('a placement that no cluster fits deletes nothing', async () => {
  const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx);
  expect(lines(plan(world, { apply: [policy('pp', { to: 'member9' })] }))).toEqual([]);
});

test('a move under way is not part of a plan; moving back creates nothing', async () => {
  const stage = await stageWith(policy('pp', { to: 'member1' }), slow);
  await stage.readies('member1', { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' }, 2);
  await stage.settle();
  stage.applyNow(policy('pp', { to: 'member2' }));
  await stage.settle();
  expect(lines(plan(stage.world, { apply: [policy('pp', { to: 'member2', priority: 1 })] }))).toEqual([]);
  expect(lines(plan(stage.world, { apply: [policy('pp', { to: 'member1' })] }))).toEqual([
    'nginx member2 delete now healthy',
  ]);
});

test('a suspension of the new member suspends the deletion in the old one', async () => {
  const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx);
  const suspension = { dispatchingOnClusters: { clusterNames: ['member2'] } };
  expect(lines(plan(world, { apply: [policy('pp', { to: 'member2', suspension })] }))).toEqual([
    'nginx member1 delete suspended healthy',
    'nginx member2 create suspended',
  ]);
});

test('a member that is down delays the deletion in the old one', async () => {
  const stage = await stageWith(policy('pp', { to: 'member1' }), nginx);
  const member = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: 'member2' };
  const { status } = (await stage.get(member)) as Cluster;
  const down = { type: 'Ready', status: 'False', reason: 'x', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
  await stage.writeStatus(member, { ...status, conditions: [down] });
  expect(lines(plan(stage.world, { apply: [policy('pp', { to: 'member2' })] }))).toEqual([
    'nginx member1 delete unreachable healthy',
    'nginx member2 create unreachable',
  ]);
});

test('a move that a lazy policy keeps pending is told with its end', async () => {
  const { world } = await stageWith(policy('pp', { to: 'member1', lazy: true }), nginx);
  expect(lines(plan(world, { apply: [policy('pp', { to: 'member2', lazy: true })] }))).toEqual([
    'nginx member1 delete pending healthy',
    'nginx member2 create pending',
  ]);
});

test('dependencies that stay with workloads whose move is suspended are listed for each namespace', async () => {
  const both = { select: [deployments(), configMaps()], scope: 'cluster' } as const;
  const web = (namespace: string): KubeObject => deployment('web', { namespace });
  const map = (namespace: string): KubeObject => configMap('settings', { namespace });
  const { world } = await stageWith(policy('pp', { ...both, to: 'member1' }), web('a'), map('a'), web('b'), map('b'));
  const suspension = { dispatchingOnClusters: { clusterNames: ['member2'] } };
  const change = { apply: [policy('pp', { ...both, to: 'member2', suspension })] };
  expect(lines(plan(world, change))).toEqual(lines(plan(world, change, { isOneByOne: true })));
});
