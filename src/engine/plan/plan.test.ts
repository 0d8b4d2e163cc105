import { describe, expect, test } from 'vitest';
import { refOf, removalsRef } from '../../api/index.ts';
import type { Cluster, KubeObject } from '../../api/index.ts';
import { deployment, deployments, memberCluster, policy, rollout } from '../../../test/kit/objects.ts';
import { modelStage } from '../../../test/kit/model.ts';
import type { ModelStage } from '../../../test/kit/model.ts';
import { explain } from './explain.ts';
import { plan, touchesRunning } from './plan.ts';
import type { Plan } from './plan.ts';

async function stageWith(...objects: readonly Parameters<ModelStage['applyNow']>[0][]): Promise<ModelStage> {
  const stage = await modelStage({});
  for (const object of objects) {
    stage.applyNow(object);
    await stage.settle();
  }
  return stage;
}

const nginx = deployment('nginx');
const lines = ({ effects }: Plan): readonly string[] =>
  effects.map(
    ({ template, cluster, effect, when, because }) => `${template.name} ${cluster} ${effect} ${when} ${because}`,
  );

test('a move is a deletion here and a creation there', async () => {
  const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx);
  const result = plan(world, { apply: [policy('pp', { to: 'member2' })] });
  expect(lines(result)).toEqual(['nginx member1 delete now PolicyEdited', 'nginx member2 create now PolicyEdited']);
  expect(result.totals).toEqual({
    templates: 1,
    clusters: 2,
    create: 1,
    update: 0,
    restart: 0,
    scale: 0,
    delete: 1,
    moved: 1,
    pending: 0,
    suspended: 0,
    unreachable: 0,
  });
  expect(result.effects[0]?.policy).toEqual({ kind: 'PropagationPolicy', namespace: 'default', name: 'pp' });
  expect(touchesRunning(world, result)).toBe(true);
});

test('deleting a Work or a binding has no effect: both are put back', async () => {
  const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx);
  const ours = [...world.entries()].map(([, object]) => object);
  const doomed = ours.filter(({ kind }) => kind === 'Work' || kind === 'ResourceBinding').map(refOf);
  expect(doomed).toHaveLength(2);
  for (const ref of doomed) expect(lines(plan(world, { delete: [ref] }))).toEqual([]);
});

test('a removal from a member that leaves does not give the reason of a status report', async () => {
  const { world } = await stageWith(policy('pp', { to: ['member1', 'member2'] }), nginx);
  const cluster = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: 'member1' };
  const { effects } = plan(world, { delete: [cluster] });
  expect(effects.map(({ effect, because }) => [effect, because])).toEqual([['delete', 'Scheduled']]);
});

test('a policy that taints a member evicts in the plan what it would evict', async () => {
  const stage = await modelStage({ gates: { Failover: true }, members: ['member1', 'member2'] });
  await stage.apply(policy('pp', { to: ['member1', 'member2'] }));
  await stage.apply(nginx);
  await stage.settle();
  const taints = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name: 'drain' },
    spec: {
      targetClusters: { clusterNames: ['member1'] },
      addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
      taints: [{ key: 'drained', effect: 'NoExecute' }],
    },
  } as KubeObject;
  const result = plan(stage.world, { apply: [taints] });
  expect(lines(result)).toEqual(['nginx member1 delete now EvictionDone']);
});

test('a rebalancer moves in the plan what it would move', async () => {
  const divided = { replicaScheduling: { replicaSchedulingType: 'Divided' as const } };
  const full = memberCluster('member2', { taints: [{ key: 'full', effect: 'NoSchedule' }] });
  const stage = await stageWith(full, policy('pp', { to: ['member1', 'member2'], placement: divided }), nginx);
  await stage.edit(refOf(full), (live) => ({ ...live, spec: { ...(live as Cluster).spec, taints: [] } }) as Cluster);
  await stage.settle();
  const rebalancer = {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name: 'again' },
    spec: { workloads: [refOf(nginx)] },
  } as KubeObject;
  expect(lines(plan(stage.world, { apply: [rebalancer] }))).toEqual([
    'nginx member2 create now Scheduled',
    'nginx member1 scale now Scheduled',
  ]);
});

test('planning leaves the world as it was', async () => {
  const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx);
  const before = JSON.stringify([...world.entries()]);
  plan(world, {
    apply: [policy('pp', { to: 'member2' })],
    delete: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' }],
  });
  expect(JSON.stringify([...world.entries()])).toBe(before);
});

describe('a deletion includes owned objects', () => {
  const placed = (name: string, extra: Parameters<typeof deployment>[1] = {}): KubeObject =>
    deployment(name, { namespace: 'shop', ...extra });
  const all = policy('all', { scope: 'cluster', to: 'member1', select: [deployments()] });
  const shop: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const gone = ({ effects }: Plan): readonly string[] =>
    effects.map(({ template, cluster, effect }) => `${effect} ${template.kind}/${template.name}@${cluster}`).sort();

  test('a namespace: all that stands in it; with something protected in it, it stays itself', async () => {
    const guarded = placed('guarded', { labels: { 'resourcetemplate.karmada.io/deletion-protected': 'Always' } });
    const stage = await stageWith(all, shop, placed('nginx'), nginx);
    const { world } = stage;
    const result = plan(world, { delete: [refOf(shop)] });
    expect(gone(result).filter((line) => line.endsWith('@member1'))).toEqual([
      'delete Deployment/nginx@member1',
      'delete Namespace/shop@member1',
    ]);
    expect(touchesRunning(world, result)).toBe(true);
    stage.applyNow(guarded);
    await stage.settle();
    expect(gone(plan(world, { delete: [refOf(shop)] }))).toEqual(['delete Deployment/nginx@member1']);
  });

  test('the definition of a kind: all of that kind', async () => {
    // Any kind will do that the members of the stage know.
    const definition: KubeObject = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'deployments.apps' },
      spec: { group: 'apps', names: { kind: 'Deployment', plural: 'deployments' } },
    } as KubeObject;
    const { world } = await stageWith(policy('pp', { to: 'member1' }), definition, nginx);
    const result = plan(world, { delete: [refOf(definition)] });
    expect(gone(result)).toEqual(['delete Deployment/nginx@member1']);
    expect(touchesRunning(world, result)).toBe(true);
  });
});

test('an image restarts, replicas scale, anything else updates in place', async () => {
  const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx);
  expect(lines(plan(world, { apply: [deployment('nginx', { image: 'nginx:2' })] }))).toEqual([
    'nginx member1 restart now PolicyEdited',
  ]);
  expect(lines(plan(world, { apply: [deployment('nginx', { replicas: 3 })] }))).toEqual([
    'nginx member1 scale now PolicyEdited',
  ]);
  expect(lines(plan(world, { apply: [deployment('nginx', { labels: { team: 'a' } })] }))).toEqual([
    'nginx member1 update now PolicyEdited',
  ]);
  expect(plan(world, { apply: [nginx] }).effects).toEqual([]);
});

test('effects of a lazy policy are pending, and only the ones that the change adds', async () => {
  const { world } = await stageWith(
    policy('pp', { to: 'member1', lazy: true }),
    nginx,
    policy('pp', { to: 'member2', lazy: true }),
  );
  expect(plan(world, { apply: [policy('pp', { to: 'member2', lazy: true })] }).effects).toEqual([]);
  const result = plan(world, { apply: [policy('pp', { to: ['member2', 'member3'], lazy: true })] });
  expect(lines(result)).toEqual(['nginx member3 create pending WaitingForTemplateChange']);
  expect(result.totals).toMatchObject({ create: 0, pending: 1 });
  expect(touchesRunning(world, result)).toBe(false);
});

test.each([
  ['a lazy policy', false, true, 'lazy'],
  ['a static policy', true, false, 'static'],
  ['a lazy policy where all are static', true, true, 'lazy'],
])('an effect that waits for %s says so', async (_, StaticPolicy, lazy, waits) => {
  const stage = await modelStage({ gates: { StaticPolicy } });
  for (const object of [policy('pp', { to: 'member1', lazy }), nginx]) {
    stage.applyNow(object);
    await stage.settle();
  }
  const { effects } = plan(stage.world, { apply: [policy('pp', { to: 'member2', lazy })] });
  expect(effects.map((effect) => [effect.when, effect.waits])).toEqual([
    ['pending', waits],
    ['pending', waits],
  ]);
});

test('a lazy policy that says the same as the managing policy is pending all the same: members will name it', async () => {
  const select = [deployments({ namespace: 'default' })];
  const { world } = await stageWith(policy('pp', { to: 'member1', select }), nginx);
  const successor = policy('next', { to: 'member1', select, lazy: true, priority: 2, preemption: 'Always' });
  expect(lines(plan(world, { apply: [successor] }))).toEqual(['nginx member1 update pending WaitingForTemplateChange']);
});

test('a suspended change waits, and resuming makes it happen', async () => {
  const suspendedPolicy = policy('pp', { to: ['member1', 'member2'], suspend: { suspendDispatching: true } });
  const { world } = await stageWith(policy('pp', { to: ['member1', 'member2'] }), nginx, suspendedPolicy);
  expect(lines(plan(world, { apply: [deployment('nginx', { image: 'nginx:2' })] }))).toEqual([
    'nginx member1 restart suspended Suspended',
    'nginx member2 restart suspended Suspended',
  ]);
  expect(
    lines(plan(world, { apply: [policy('pp', { to: 'member1', suspend: { suspendDispatching: true } })] })),
  ).toEqual(['nginx member2 delete suspended RemovalSuspended']);
});

describe.each(['namespace', 'cluster'] as const)('a rollout policy of a %s', (scope) => {
  const frozen = rollout('hold', { suspendDispatching: true }, { scope });
  const newer = deployment('nginx', { image: 'nginx:2' });

  test('suspends the effects of a plan, which happen when it is deleted', async () => {
    const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx, frozen);
    expect(lines(plan(world, { apply: [newer] }))).toEqual(['nginx member1 restart suspended Suspended']);
    const stage = await stageWith(policy('pp', { to: 'member1' }), nginx, frozen, newer);
    expect(lines(plan(stage.world, { delete: [refOf(frozen)] }))).toEqual(['nginx member1 restart now Updated']);
  });

  test('is part of a change like any other', async () => {
    const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx);
    expect(lines(plan(world, { apply: [frozen, newer] }))).toEqual(['nginx member1 restart suspended Suspended']);
  });
});

test('a namespace that every member gets is suspended like an object of a policy', async () => {
  const shop: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const resourceSelectors = [{ apiVersion: 'v1', kind: 'Namespace', name: 'shop' }];
  const on = { suspendDispatchingOnClusters: { clusterNames: ['member2'] } };
  const frozen = rollout('hold', on, { scope: 'cluster', resourceSelectors });
  const labelled = { ...shop, metadata: { name: 'shop', labels: { team: 'a' } } };
  const { world } = await stageWith(shop, frozen);
  const whens = plan(world, { apply: [labelled] }).effects.map(({ cluster, when }) => `${cluster} ${when}`);
  expect(whens).toEqual(['member1 now', 'member3 now', 'member4 now', 'member2 suspended']);
  const stage = await stageWith(shop, frozen, labelled);
  expect(lines(plan(stage.world, { delete: [refOf(frozen)] }))).toEqual(['shop member2 update now Updated']);
  expect(explain(world, refOf(shop))?.suspended).toEqual([{ cluster: 'member2', by: 'ClusterRolloutPolicy/hold' }]);
});

test('creating what runs nowhere yet touches nothing that runs', async () => {
  const { world } = await stageWith(nginx);
  const result = plan(world, { apply: [policy('pp', { to: 'member1' })] });
  expect(lines(result)).toEqual(['nginx member1 create now Elected']);
  expect(touchesRunning(world, result)).toBe(false);
});

test('several objects are one change', async () => {
  const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx);
  const select = [deployments({ namespace: 'default' })];
  const result = plan(world, {
    apply: [
      policy('other', { to: 'member3', priority: 5, preemption: 'Always', select }),
      deployment('nginx', { image: 'nginx:2' }),
    ],
  });
  expect(lines(result)).toEqual(['nginx member1 delete now Preempted', 'nginx member3 create now Preempted']);
  expect(result.effects[0]?.policy?.name).toBe('other');
});

test('errors of admission are part of the plan', async () => {
  const { world } = await stageWith(nginx);
  const result = plan(world, {
    apply: [policy('pp', { to: 'member1', exclude: [{}] })],
    delete: [{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'a', name: 'b' }],
  });
  expect(result.errors.map(({ object, path }) => `${object} ${path}`)).toEqual([
    'PropagationPolicy/default/pp spec.excludedResources[0]',
    'ConfigMap/a/b ',
  ]);
  expect(result.effects).toEqual([]);
});

test('explain names the managing policy, the policies that lost and why, the clusters, pending changes and suspensions', async () => {
  const { world } = await stageWith(
    policy('pp', { to: 'member1', lazy: true }),
    policy('low', { to: 'member2', scope: 'cluster', priority: 9 }),
    policy('not-me', { to: 'member2', exclude: [{ name: 'nginx' }] }),
    policy('other-name', { to: 'member2', select: [deployments({ name: 'apache' })] }),
    nginx,
    policy('high', { to: 'member3', priority: 7 }),
    policy('pp', { to: ['member1', 'member2'], lazy: true }),
    rollout(
      'freeze',
      { suspendDispatchingOnClusters: { clusterNames: ['member1'] } },
      { reason: 'audit', until: '2030-01-01T00:00:00Z' },
    ),
  );
  world.write({ verb: 'create', object: policy('past-admission', { to: 'member2' }) });
  const found = explain(world, { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' });
  expect(found?.holder).toEqual({ kind: 'PropagationPolicy', namespace: 'default', name: 'pp' });
  expect(found?.candidates.map(({ policy: { name }, outcome, because }) => `${name} ${outcome} ${because}`)).toEqual([
    'pp holds Manages',
    'high lost DoesNotPreempt',
    'low lost LowerScope',
    'not-me excluded Excluded',
    'other-name noMatch NameDiffers',
    'past-admission noMatch PolicyWithoutId',
  ]);
  expect(found?.clusters.filter(({ chosen }) => chosen).map(({ name }) => name)).toEqual(['member1']);
  expect(found?.clusters.find(({ name }) => name === 'member4')).toMatchObject({
    chosen: false,
    because: 'AffinityDiffers',
  });
  expect(found?.pending).toMatchObject({ because: 'WaitingForTemplateChange' });
  expect(found?.suspended).toEqual([
    { cluster: 'member1', by: 'RolloutPolicy/default/freeze', reason: 'audit', until: '2030-01-01T00:00:00Z' },
  ]);
});

test('a suspension that would have let a copy be removed, and now keeps it, is listed', async () => {
  const stage = await modelStage({ gates: { Failover: true, GracefulEviction: false } });
  const suspendedPolicy = policy('pp', { to: 'member1', suspend: { dispatching: true } });
  const down = [{ key: 'down', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' }] as const;
  const member = memberCluster('member1');
  const tainted = { ...member, spec: { ...member.spec, taints: down } };
  for (const object of [suspendedPolicy, nginx, tainted]) {
    stage.applyNow(object);
    await stage.settle();
  }
  expect(lines(plan(stage.world, { delete: [refOf(suspendedPolicy)] }))).toEqual([
    'nginx member1 create suspended Suspended',
  ]);
});

describe('while removals are suspended', () => {
  const { namespace, name, ...kind } = removalsRef;
  const suspension = { ...kind, metadata: { name, namespace }, data: { since: '', reason: '' } } as KubeObject;

  test('a deletion waits for their end, and is planned as suspended', async () => {
    const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx, suspension);
    expect(lines(plan(world, { delete: [refOf(nginx)] }))).toEqual([
      'nginx member1 delete suspended RemovalsSuspended',
    ]);
  });

  test('a move creates at once and deletes as suspended', async () => {
    const { world } = await stageWith(policy('pp', { to: 'member1' }), nginx, suspension);
    expect(lines(plan(world, { apply: [policy('pp', { to: 'member2' })] }))).toEqual([
      'nginx member2 create now PolicyEdited',
      'nginx member1 delete suspended RemovalsSuspended',
    ]);
  });

  test('their end deletes what waited, and nothing else', async () => {
    const stage = await stageWith(policy('pp', { to: 'member1' }), nginx, deployment('stays'), suspension);
    await stage.delete(refOf(nginx));
    await stage.settle();
    expect(lines(plan(stage.world, { delete: [removalsRef] }))).toEqual(['nginx member1 delete now Deleted']);
  });
});
