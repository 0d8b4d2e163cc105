import { describe, expect, test } from 'vitest';
import type { Binding, Cluster, Placement } from '../../api/index.ts';
import {
  binding,
  cluster,
  members,
  noon,
  placed,
  scheduledCondition,
  settled,
  written,
} from '../../../test/kit/fleet.ts';
import type { BindingWords } from '../../../test/kit/fleet.ts';
import { decideSchedule } from './decide.ts';

const three = members(3);
const everywhere: Placement = { clusterAffinity: {} };
const only = (...clusterNames: readonly string[]): Placement => ({ clusterAffinity: { clusterNames } });
const divided = (weights?: Readonly<Record<string, number>>): Placement => ({
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    ...(weights && {
      weightPreference: {
        staticWeightList: Object.entries(weights).map(([name, weight]) => ({
          targetCluster: { clusterNames: [name] },
          weight,
        })),
      },
    }),
  },
});

const decide = (object: Binding, clusters: readonly Cluster[] = three) =>
  decideSchedule({ binding: object, clusters, now: noon });
const settle = (object: Binding, clusters: readonly Cluster[] = three): Binding =>
  settled(object, (it) => decide(it, clusters));
const edited = (object: Binding, spec: Partial<Binding['spec']>): Binding => ({
  ...object,
  metadata: { ...object.metadata, generation: (object.metadata.generation ?? 0) + 1 },
  spec: { ...object.spec, ...spec },
});
const annotated = (object: Binding, annotations: Record<string, string>): Binding => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
});

describe('left alone', () => {
  const suspended = { suspension: { scheduling: true } };
  test.each<[string, Binding, string]>([
    [
      'being deleted',
      { ...binding(everywhere), metadata: { name: 'web', deletionTimestamp: noon } },
      'BindingDeleting',
    ],
    ['without a placement', binding(undefined), 'NoPlacement'],
    ['of another scheduler', binding(everywhere, { schedulerName: 'other' }), 'OtherScheduler'],
    ['suspended', binding(everywhere, suspended), 'SchedulingSuspended'],
    ['without a policy', binding(everywhere, { policyGone: true }), 'PolicyGone'],
  ])('%s', (_, object, because) => expect(decide(object)).toEqual({ actions: [], because }));

  test('our own name is not another scheduler', () => {
    expect(decide(binding(everywhere, { schedulerName: 'default-scheduler' })).because).toBe('Scheduled');
  });
});

describe('where it goes', () => {
  const halves = { member1: 1, member2: 1 };
  test.each<[string, Placement, BindingWords, readonly string[]]>([
    ['everywhere', everywhere, {}, ['member1', 'member2', 'member3']],
    ['an empty placement is everywhere', {}, {}, ['member1', 'member2', 'member3']],
    ['where it is named', only('member2'), {}, ['member2']],
    ['copies of a workload', only('member1', 'member2'), { replicas: 2 }, ['member1:2', 'member2:2']],
    ['copies of one scaled to 0', only('member1', 'member2'), { replicas: 0 }, ['member1', 'member2']],
    ['divided equally', divided(), { replicas: 6 }, ['member1:2', 'member2:2', 'member3:2']],
    ['fewer replicas than clusters', divided(), { replicas: 1, name: 'a' }, ['member1:1']],
    ['divided by weight', divided({ member1: 1, member2: 2 }), { replicas: 6 }, ['member1:2', 'member2:4']],
    [
      'the best of several rules counts',
      divided({ member1: 1, member3: 3 }),
      { replicas: 4 },
      ['member1:1', 'member3:3'],
    ],
    ['rules that select nobody', divided({ other: 1 }), { replicas: 3 }, ['member1:1', 'member2:1', 'member3:1']],
    ['divided, scaled to 0, stays', divided(), { replicas: 0, on: ['member2:4'] }, ['member2']],
    ['divided, born with 0, waits everywhere with weight', divided(halves), { replicas: 0 }, ['member1', 'member2']],
    ['divided, but nothing to divide', divided(halves), {}, ['member1', 'member2', 'member3']],
    ['an odd remainder, by name', divided(halves), { replicas: 3, name: 'a' }, ['member1:2', 'member2:1']],
    ['an odd remainder, by another name', divided(halves), { replicas: 3, name: 'b' }, ['member1:1', 'member2:2']],
  ])('%s', (_, placement, words, clusters) => {
    const result = settle(binding(placement, words));
    expect(placed(result)).toEqual(clusters);
    expect(scheduledCondition(result)).toBe('True Success');
    expect(result.status).toMatchObject({
      schedulerObservedGeneration: result.metadata.generation,
      lastScheduledTime: noon,
    });
  });
});

describe('one pass', () => {
  test('writes clusters and the reason for them together, and then the status', () => {
    const first = decide(binding(only('member1'), { replicas: 2 }));
    expect(first).toMatchObject({ because: 'Scheduled', detail: 'member1:2' });
    expect(first.actions.map((action) => [action.do, action.write.verb])).toEqual([['place', 'update']]);
    const there = written(binding(only('member1'), { replicas: 2 }), first);
    expect(there.metadata.annotations).toEqual({
      'policy.karmada.io/applied-placement': '{"clusterAffinity":{"clusterNames":["member1"]}}',
    });
    expect(there.status).toBeUndefined();
    expect(decide(there).actions.map((action) => [action.do, action.write.verb])).toEqual([['report', 'updateStatus']]);
  });

  test('keeps what others wrote', () => {
    const before = annotated(binding(everywhere, { on: ['member1'], propagateDeps: true }), { mine: 'x' });
    const status = { aggregatedStatus: [{ clusterName: 'member1' }], conditions: [condition('FullyApplied')] };
    const after = settle({ ...before, status });
    expect(after.metadata.annotations).toMatchObject({ mine: 'x' });
    expect(after.spec.propagateDeps).toBe(true);
    expect(after.status).toMatchObject({ aggregatedStatus: status.aggregatedStatus });
    expect(after.status?.conditions?.map(({ type }) => type)).toEqual(['FullyApplied', 'Scheduled']);
  });

  test('an order that another scheduler chose is left as it is', () => {
    const before = annotated(binding(everywhere, { on: ['member3', 'member1', 'member2'] }), {
      'policy.karmada.io/applied-placement': '{"clusterAffinity":{}}',
    });
    expect(placed(settle(before))).toEqual(['member3', 'member1', 'member2']);
  });
});

function condition(type: string) {
  return { type, status: 'True', reason: 'x', message: '', lastTransitionTime: noon } as const;
}

describe('the clusters that may have it', () => {
  const tainted = cluster('member2', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
  const mute = cluster('member2', { serves: [] });
  const gone = cluster('member2', { leaving: true });
  const tolerant: Placement = { clusterTolerations: [{ key: 'gpu', operator: 'Exists' }] };
  const evicted = { gracefulEvictionTasks: [{ fromCluster: 'member1', reason: 'TaintUntolerated', producer: 'x' }] };
  const [one] = members(1);
  const fleet = (second: Cluster): readonly Cluster[] => (one ? [one, second] : []);

  test.each<[string, Cluster, Placement, BindingWords, readonly string[]]>([
    ['a taint keeps out', tainted, everywhere, {}, ['member1']],
    ['a tolerated taint does not', tainted, tolerant, {}, ['member1', 'member2']],
    ['what runs there stays', tainted, everywhere, { on: ['member2'] }, ['member1', 'member2']],
    ['a cluster that does not serve the kind', mute, everywhere, {}, ['member1']],
    ['what it once served stays', mute, everywhere, { on: ['member2'] }, ['member1', 'member2']],
    ['a cluster that leaves', gone, everywhere, { on: ['member2'] }, ['member1']],
    ['what is evicted does not come back', cluster('member2'), everywhere, evicted, ['member2']],
    ['not even where it runs', tainted, everywhere, { ...evicted, on: ['member2'] }, ['member2']],
    ['affinity is not waived for what runs', tainted, only('member1'), { on: ['member2'] }, ['member1']],
  ])('%s', (_, second, placement, words, clusters) => {
    expect(placed(settle(binding(placement, words), fleet(second)))).toEqual(clusters);
  });

  test('replicas of a leaving member go to the others', () => {
    const before = settle(binding(divided(), { replicas: 4 }), fleet(cluster('member2')));
    expect(placed(before)).toEqual(['member1:2', 'member2:2']);
    expect(placed(settle(before, fleet(gone)))).toEqual(['member1:4']);
    expect(placed(settle(before, members(1)))).toEqual(['member1:4']);
  });
});

describe('when a new choice is due', () => {
  const four = members(4);

  test('copies follow the fleet', () => {
    const before = settle(binding(everywhere, { replicas: 2 }));
    expect(placed(settle(before, four))).toEqual(['member1:2', 'member2:2', 'member3:2', 'member4:2']);
  });

  test('divided replicas stay when the fleet grows', () => {
    const before = settle(binding(divided(), { replicas: 4 }));
    expect(decide(before, four)).toEqual({ actions: [], because: 'AlreadyScheduled' });
  });

  test.each<[string, Partial<Binding['spec']>]>([
    ['its replicas change', { replicas: 8 }],
    ['its placement changes', { placement: { ...divided(), clusterTolerations: [{ operator: 'Exists' }] } }],
    ['a reschedule is asked for', { rescheduleTriggeredAt: '2026-11-15T12:00:01Z' }],
    ['a reschedule is asked for in the same second', { rescheduleTriggeredAt: noon }],
  ])('divided replicas are divided again when %s', (_, spec) => {
    const before = settle(binding(divided(), { replicas: 4 }));
    const after = settle(edited(before, spec), four);
    expect(placed(after).map((target) => target.split(':')[0])).toEqual(['member1', 'member2', 'member3', 'member4']);
  });

  test.each<[string, Partial<Binding['spec']>]>([
    ['a suspension', { suspension: { suspendDispatching: true } }],
    ['a placement that says the same in other words', { placement: { ...divided(), spreadConstraints: [] } }],
    ['a reschedule that was asked for before', { rescheduleTriggeredAt: '2026-11-15T11:59:59Z' }],
  ])('%s is no reason: only the generation is confirmed', (_, spec) => {
    const before = edited(settle(binding(divided(), { replicas: 4 })), spec);
    const decision = decide(before, four);
    expect(decision).toMatchObject({ because: 'AlreadyScheduled', actions: [{ do: 'report' }] });
    expect(placed(settle(before, four))).toEqual(placed(before));
  });

  test('a reschedule that changes nothing is honoured all the same', () => {
    const before = settle(binding(divided(), { replicas: 4 }));
    const asked = settle(edited(before, { rescheduleTriggeredAt: '2026-11-15T12:00:01Z' }));
    expect(placed(asked)).toEqual(placed(before));
    expect(decide(asked, four)).toEqual({ actions: [], because: 'AlreadyScheduled' });
  });

  test('a record that cannot be read counts as none', () => {
    const before = settle(binding(divided(), { replicas: 4 }));
    const damaged = annotated(before, { 'policy.karmada.io/applied-placement': '{' });
    expect(decide(damaged, four).because).toBe('Scheduled');
  });

  test.each([
    ['fewer', 6],
    ['more', 2],
  ])('let go while %s replicas have a cluster than it has, it stays and is not called scheduled', (_, replicas) => {
    const { labels: _labels, ...metadata } = settle(binding(divided(), { replicas: 4 })).metadata;
    const orphan = edited({ ...settle(binding(divided(), { replicas: 4 })), metadata }, { replicas });
    expect(decide(orphan, four)).toMatchObject({ because: 'PolicyGone', actions: [{ do: 'report' }] });
    const after = settle(orphan, four);
    expect(placed(after)).toEqual(placed(settle(binding(divided(), { replicas: 4 }))));
    expect(scheduledCondition(after)).toBe('False Unschedulable');
    expect(after.status?.conditions?.[0]?.message).toMatch(`4 of ${replicas} replicas have a cluster; the policy`);
    expect(decide(after, four)).toEqual({ actions: [], because: 'PolicyGone' });
  });

  test('without a policy it stays, even as the fleet grows and labels change', () => {
    const { labels: _, ...metadata } = settle(binding(everywhere)).metadata;
    const orphan = { ...settle(binding(everywhere)), metadata };
    expect(decide(orphan, four)).toEqual({ actions: [], because: 'PolicyGone' });
    expect(decide(orphan, [cluster('member1', { leaving: true }), ...three.slice(1)]).because).toBe('Scheduled');
  });
});

describe('when it fits nowhere', () => {
  const nowhere = only('elsewhere');

  test('it is taken off all clusters, and the condition says why', () => {
    const before = settle(binding(everywhere, { replicas: 2 }));
    const first = decide(edited(before, { placement: nowhere }));
    expect(first).toMatchObject({ because: 'NoClusterFits', actions: [{ do: 'place' }] });
    const after = settle(edited(before, { placement: nowhere }));
    expect(placed(after)).toEqual([]);
    expect(scheduledCondition(after)).toBe('False NoClusterFit');
    expect(after.status?.conditions?.[0]?.message).toBe('0/3 clusters are available: 3 AffinityDiffers');
    expect(after.status?.schedulerObservedGeneration).toBe(before.metadata.generation);
  });

  test('it comes back when a cluster fits again', () => {
    const lost = settle(binding(divided(), { replicas: 2 }), []);
    expect(scheduledCondition(lost)).toBe('False NoClusterFit');
    expect(lost.status?.conditions?.[0]?.message).toBe('there are no clusters');
    expect(placed(settle(lost, members(2)))).toEqual(['member1:1', 'member2:1']);
    const empty = settle(binding(divided(), { replicas: 0 }), []);
    expect(placed(settle(empty, members(2)))).toEqual(['member1', 'member2']);
  });

  test('one that cannot be placed as wished stays where it is', () => {
    const before = settle(binding(only('member1')));
    const wish = { ...everywhere, spreadConstraints: [{ spreadByField: 'cluster' as const, minGroups: 5 }] };
    const after = settle(edited(before, { placement: wish }));
    expect(placed(after)).toEqual(['member1']);
    expect(scheduledCondition(after)).toBe('False Unschedulable');
    expect(scheduledCondition(settle(edited(after, { placement: only('member1') })))).toBe('True Success');
  });
});

const wish = (first: string, second: string): Placement => ({
  clusterAffinities: [
    { affinityName: 'first', clusterNames: [first] },
    { affinityName: 'second', clusterNames: [second] },
  ],
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2 }],
});

describe('affinity groups', () => {
  const groups: Placement = {
    clusterAffinities: [
      { affinityName: 'primary', labelSelector: { matchLabels: { tier: 'gold' } } },
      { affinityName: 'backup', clusterNames: ['member2'] },
    ],
  };
  const gold = cluster('member1', { labels: { tier: 'gold' } });
  const plain = cluster('member1');
  const [, second] = members(2);
  const fleet = (first: Cluster): readonly Cluster[] => (second ? [first, second] : []);
  const start = settle(binding(groups), fleet(gold));

  test('the first that has clusters is taken, and named', () => {
    expect(placed(start)).toEqual(['member1']);
    expect(start.status?.schedulerObservingAffinityName).toBe('primary');
  });

  test('the next one is taken when it has none left, and there is no way back but by request', () => {
    const moved = settle(start, fleet(plain));
    expect(placed(moved)).toEqual(['member2']);
    expect(moved.status?.schedulerObservingAffinityName).toBe('backup');
    expect(placed(settle(moved, fleet(gold)))).toEqual(['member2']);
    const asked = settle(edited(moved, { rescheduleTriggeredAt: '2026-11-15T12:00:05Z' }), fleet(gold));
    expect(placed(asked)).toEqual(['member1']);
    expect(asked.status?.schedulerObservingAffinityName).toBe('primary');
  });

  test('divided replicas move with the group when its cluster leaves', () => {
    const before = settle(binding({ ...groups, ...divided() }, { replicas: 3 }), fleet(gold));
    expect(placed(before)).toEqual(['member1:3']);
    const after = settle(before, fleet(cluster('member1', { labels: { tier: 'gold' }, leaving: true })));
    expect(placed(after)).toEqual(['member2:3']);
    expect(after.status?.schedulerObservingAffinityName).toBe('backup');
  });

  test('an edit of another group moves nothing that is divided', () => {
    const before = settle(binding({ ...groups, ...divided() }, { replicas: 3 }), fleet(gold));
    const [primary] = groups.clusterAffinities ?? [];
    const edit = { ...groups, ...divided(), clusterAffinities: primary ? [primary] : [] };
    expect(decide(edited(before, { placement: edit }), fleet(plain)).because).toBe('AlreadyScheduled');
  });

  test('an edit of a group that is not in force any more moves nothing that is divided', () => {
    const backup = settle(binding({ ...groups, ...divided() }, { replicas: 3 }), fleet(plain));
    expect(backup.status?.schedulerObservingAffinityName).toBe('backup');
    const [, second] = groups.clusterAffinities ?? [];
    const first = { affinityName: 'primary', clusterNames: ['member1'] };
    const edit = { ...groups, ...divided(), clusterAffinities: second ? [first, second] : [first] };
    expect(decide(edited(backup, { placement: edit }), fleet(plain)).because).toBe('AlreadyScheduled');
    const other = { ...edit, clusterAffinities: [first, { affinityName: 'backup', clusterNames: ['member1'] }] };
    expect(decide(edited(backup, { placement: other }), fleet(plain)).because).toBe('Scheduled');
  });

  test('when all fail, the first failure counts', () => {
    expect(decide(binding(wish('nobody', 'member1')), fleet(plain)).because).toBe('NoClusterFits');
    expect(decide(binding(wish('member1', 'nobody')), fleet(plain)).because).toBe('SchedulingFailed');
  });

  test('a placement without groups forgets the name', () => {
    const after = settle(edited(start, { placement: everywhere }), fleet(gold));
    expect(placed(after)).toEqual(['member1', 'member2']);
    expect(after.status).not.toHaveProperty('schedulerObservingAffinityName');
  });
});
