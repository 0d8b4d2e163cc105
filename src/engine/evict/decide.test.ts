import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../api/index.ts';
import type { Binding, Cluster, GracefulEvictionTask, Taint, Toleration } from '../../api/index.ts';
import { binding, cluster, noon, placed, settled, written } from '../../../test/kit/fleet.ts';
import type { BindingWords } from '../../../test/kit/fleet.ts';
import type { Failures } from '../fleet/index.ts';
import { policySuspensions } from '../suspension/index.ts';
import { emptyWorld } from '../world/index.ts';
import type { ActiveSuspension } from '../suspension/index.ts';
import { decideSchedule } from '../schedule/index.ts';
import { decideEviction } from './decide.ts';
import type { EvictionFacts } from './facts.ts';

const down: Taint = { key: 'down', effect: 'NoExecute', timeAdded: '2026-11-15T11:59:00Z' };
const tainted = (...taints: readonly Taint[]): Cluster => cluster('member1', { taints });
const second = cluster('member2');
const tolerating = (...tolerationSeconds: readonly (number | undefined)[]): readonly Toleration[] =>
  tolerationSeconds.map((seconds) => ({
    key: 'down',
    operator: 'Exists',
    ...(seconds !== undefined && { tolerationSeconds: seconds }),
  }));

const failover = { Failover: true, GracefulEviction: true, StatefulFailoverInjection: false };

const noFailures: Failures = { since: new Map(), outage: undefined, over: new Map() };

function factsOf(
  object: Binding,
  over: Partial<EvictionFacts> = {},
  rollouts: readonly ActiveSuspension[] = [],
): EvictionFacts {
  const placedBy = [
    {
      clusters: new Set(object.spec.clusters?.map(({ name }) => name)),
      suspensions: policySuspensions(emptyWorld({}), object),
    },
  ];
  return {
    binding: object,
    clusters: [tainted(down), second],
    suspensions: { own: rollouts, placedBy },
    gates: failover,
    failures: () => noFailures,
    settings: defaultSettings,
    now: noon,
    ...over,
  };
}

const both: BindingWords = { on: ['member1:2', 'member2:1'], replicas: 3 };
const task = (over: Partial<GracefulEvictionTask> = {}): GracefulEvictionTask => ({
  fromCluster: 'member1',
  reason: 'TaintUntolerated',
  producer: 'TaintManager',
  creationTimestamp: noon,
  ...over,
});

describe('a taint evicts what does not tolerate it', () => {
  test('at once, and a note says what was there', () => {
    const decision = decideEviction(factsOf(binding({}, both)));
    expect(decision).toMatchObject({ because: 'Evicting', actions: [{ do: 'evict', write: { verb: 'update' } }] });
    const after = written(binding({}, both), decision);
    expect(placed(after)).toEqual(['member2:1']);
    expect(after.spec.gracefulEvictionTasks).toEqual([
      {
        fromCluster: 'member1',
        purgeMode: 'Gracefully',
        replicas: 2,
        reason: 'TaintUntolerated',
        producer: 'TaintManager',
        clustersBeforeFailover: ['member1', 'member2'],
        creationTimestamp: noon,
      },
    ]);
  });

  test.each<[string, readonly Taint[], readonly Toleration[], string, string | undefined]>([
    ['tolerated for good', [down], tolerating(undefined), 'UpToDate', undefined],
    ['tolerated a while longer', [down], tolerating(90), 'Tolerated', '2026-11-15T12:00:30Z'],
    ['tolerated long enough', [down], tolerating(60), 'Evicting', undefined],
    ['the shortest counts', [down], tolerating(300, 90, undefined), 'Tolerated', '2026-11-15T12:00:30Z'],
    ['not at all', [down], tolerating(0), 'Evicting', undefined],
    ['an unknown beginning never ends', [{ key: 'down', effect: 'NoExecute' }], tolerating(1), 'UpToDate', undefined],
    [
      'the first to end counts',
      [{ ...down, timeAdded: noon }, down],
      tolerating(90),
      'Tolerated',
      '2026-11-15T12:00:30Z',
    ],
    [
      'another taint is not tolerated',
      [down, { key: 'gone', effect: 'NoExecute' }],
      tolerating(90),
      'Evicting',
      undefined,
    ],
    ['a taint that only keeps out', [{ key: 'full', effect: 'NoSchedule' }], [], 'UpToDate', undefined],
  ])('%s', (_, taints, clusterTolerations, because, again) => {
    const facts = factsOf(binding({ clusterTolerations }, both), { clusters: [tainted(...taints), second] });
    const decision = decideEviction(facts);
    expect([decision.because, decision.again]).toEqual([because, again]);
    expect(decision.actions.length > 0).toBe(because === 'Evicting');
  });

  test('the placement in effect counts, not one that is pending', () => {
    const object = binding({ clusterTolerations: tolerating(undefined) }, both);
    const annotations = { 'policy.karmada.io/applied-placement': '{}' };
    const before = { ...object, metadata: { ...object.metadata, annotations } };
    expect(decideEviction(factsOf(before)).because).toBe('Evicting');
  });

  test.each<[string, BindingWords, Partial<EvictionFacts>, string]>([
    [
      'the gate is off',
      both,
      { gates: { Failover: false, GracefulEviction: true, StatefulFailoverInjection: false } },
      'UpToDate',
    ],
    ['it does not run there', { on: ['member2'] }, {}, 'UpToDate'],
    ['no cluster is tainted', both, { clusters: [cluster('member1'), second] }, 'UpToDate'],
  ])('not when %s', (_, words, over, because) => {
    expect(decideEviction(factsOf(binding({}, words), over))).toEqual({ actions: [], because });
  });

  test('a binding that is being deleted has other worries', () => {
    const object = binding({}, both);
    const deleting = { ...object, metadata: { ...object.metadata, deletionTimestamp: noon } };
    expect(decideEviction(factsOf(deleting))).toEqual({ actions: [], because: 'BindingDeleting' });
  });

  test('the policy says how the old copy goes', () => {
    const never = binding({}, { ...both, failover: { cluster: { purgeMode: 'Never' } } });
    expect(written(never, decideEviction(factsOf(never))).spec.gracefulEvictionTasks).toMatchObject([
      { purgeMode: 'Never', suppressDeletion: true },
    ]);
  });

  test('without graceful eviction there is no note, and the old copy goes', () => {
    const gates = { Failover: true, GracefulEviction: false, StatefulFailoverInjection: false };
    const after = written(binding({}, both), decideEviction(factsOf(binding({}, both), { gates })));
    expect([placed(after), after.spec.gracefulEvictionTasks]).toEqual([['member2:1'], []]);
  });
});

describe('an old copy', () => {
  const replaced = (health: 'Healthy' | 'Unhealthy', observed = 1): Binding => ({
    ...binding({}, { on: ['member2'], gracefulEvictionTasks: [task()] }),
    status: { schedulerObservedGeneration: observed, aggregatedStatus: [{ clusterName: 'member2', health }] },
  });
  const waiting = (over: Partial<GracefulEvictionTask>): Binding =>
    binding({}, { on: ['member2'], gracefulEvictionTasks: [task(over)] });

  test.each<[string, Binding, string, string, string | undefined]>([
    ['goes when its replacement is healthy', replaced('Healthy'), noon, 'EvictionDone', undefined],
    ['waits while it is not', replaced('Unhealthy'), noon, 'EvictionWaits', '2026-11-15T12:10:00Z'],
    ['waits for the scheduler', replaced('Healthy', 0), noon, 'EvictionWaits', '2026-11-15T12:10:00Z'],
    [
      'waits for every replacement',
      {
        ...replaced('Healthy'),
        spec: binding({}, { on: ['member2', 'member3'], gracefulEvictionTasks: [task()] }).spec,
      },
      noon,
      'EvictionWaits',
      '2026-11-15T12:10:00Z',
    ],
    ['goes when its time is over', replaced('Unhealthy'), '2026-11-15T12:10:00Z', 'EvictionDone', undefined],
    ['has the time it was given', waiting({ gracePeriodSeconds: 5 }), noon, 'EvictionWaits', '2026-11-15T12:00:05Z'],
    [
      'stays for good when told so',
      waiting({ suppressDeletion: true }),
      '2027-01-01T00:00:00Z',
      'EvictionWaits',
      undefined,
    ],
    ['goes when somebody has confirmed it', waiting({ suppressDeletion: false }), noon, 'EvictionDone', undefined],
  ])('%s', (_, object, now, because, again) => {
    const decision = decideEviction(factsOf(object, { now }));
    expect([decision.because, decision.again]).toEqual([because, again]);
    if (because === 'EvictionDone') expect(written(object, decision).spec.gracefulEvictionTasks).toEqual([]);
    else expect(decision.actions).toEqual([]);
  });

  test('no cluster at all is not a healthy replacement, and the old copy stays when the time is over', () => {
    const object = { ...replaced('Healthy'), spec: binding({}, { on: [], gracefulEvictionTasks: [task()] }).spec };
    for (const now of [noon, '2027-01-01T00:00:00Z'])
      expect(decideEviction(factsOf(object, { now }))).toEqual({ actions: [], because: 'EvictionWaits' });
  });

  test('divided replicas for which other clusters lack capacity stay, however long', () => {
    const placement = { replicaScheduling: { replicaSchedulingType: 'Divided' } } as const;
    const short = (on: string): Binding => ({
      ...replaced('Healthy'),
      spec: binding(placement, { on: [on], replicas: 3, gracefulEvictionTasks: [task({ replicas: 2 })] }).spec,
    });
    for (const now of [noon, '2027-01-01T00:00:00Z'])
      expect(decideEviction(factsOf(short('member2:1'), { now }))).toEqual({ actions: [], because: 'EvictionWaits' });
    expect(decideEviction(factsOf(short('member2:3'))).because).toBe('EvictionDone');
  });

  test('one without a date is dated, so that its time can run', () => {
    const { creationTimestamp: _, ...undated } = task();
    const object = binding({}, { on: ['member2'], gracefulEvictionTasks: [undated] });
    expect(written(object, decideEviction(factsOf(object))).spec.gracefulEvictionTasks).toEqual([task()]);
  });

  test('goes also with the failover gate off', () => {
    const gates = { Failover: false, GracefulEviction: true, StatefulFailoverInjection: false };
    expect(decideEviction(factsOf(replaced('Healthy'), { gates })).because).toBe('EvictionDone');
  });
});

const rollout = (clusters: ActiveSuspension['clusters'], until?: string): ActiveSuspension => ({
  by: 'x',
  clusters,
  ...(until && { until }),
});

describe('while dispatching is suspended', () => {
  const old = binding({}, { on: ['member2'], gracefulEvictionTasks: [task({ gracePeriodSeconds: 0 })] });

  test.each<[string, Binding, readonly ActiveSuspension[], string]>([
    [
      'everywhere, nothing is evicted',
      binding({}, { ...both, suspension: { dispatching: true } }),
      [],
      'EvictionSuspended',
    ],
    ['on the tainted cluster', binding({}, both), [rollout(['member1'])], 'EvictionSuspended'],
    ['on another cluster only', binding({}, both), [rollout(['member2'])], 'Evicting'],
    ['where the old copy is', old, [rollout(['member1'])], 'EvictionSuspended'],
    ['where its replacement is', old, [rollout(['member2'])], 'EvictionSuspended'],
    ['where neither is', old, [rollout(['member3'])], 'EvictionDone'],
  ])('%s', (_, object, rollouts, because) => {
    const decision = decideEviction(factsOf(object, {}, rollouts));
    expect(decision.because).toBe(because);
    expect(decision.actions.length > 0).toBe(because !== 'EvictionSuspended');
  });

  test('a suspension that ends by itself says when to look again', () => {
    const facts = factsOf(binding({}, both), {}, [rollout('all', '2026-11-15T13:00:00.500Z')]);
    expect(decideEviction(facts)).toEqual({ actions: [], because: 'EvictionSuspended', again: '2026-11-15T13:00:01Z' });
  });
});

test('eviction and schedule settle together: the replicas move, then the old copy goes', () => {
  const fleet = [tainted(down), second];
  const divided = { replicaScheduling: { replicaSchedulingType: 'Divided' as const } };
  const decideBoth = (now: string) => (object: Binding) => {
    const evicted = decideEviction(factsOf(object, { clusters: fleet, now }));
    return evicted.actions.length > 0 ? evicted : decideSchedule({ binding: object, clusters: fleet, now });
  };
  const start = settled(binding(divided, { replicas: 4 }), (object) =>
    decideSchedule({ binding: object, clusters: [cluster('member1'), second], now: noon }),
  );
  expect(placed(start)).toEqual(['member1:2', 'member2:2']);
  const moved = settled(start, decideBoth(noon));
  expect(placed(moved)).toEqual(['member2:4']);
  expect(moved.spec.gracefulEvictionTasks).toHaveLength(1);

  const healthy: Binding = {
    ...moved,
    status: { ...moved.status, aggregatedStatus: [{ clusterName: 'member2', health: 'Healthy' }] },
  };
  const end = settled(healthy, decideBoth(noon));
  expect(end.spec.gracefulEvictionTasks).toEqual([]);
  expect(placed(end)).toEqual(['member2:4']);
});

describe('a template that no policy manages any more', () => {
  const orphan: BindingWords = { on: ['member1:4'], replicas: 4, policyGone: true };
  const divided = { replicaScheduling: { replicaSchedulingType: 'Divided' as const } };

  test.each([
    ['copies', {}],
    ['divided replicas', divided],
  ])('moves to where its placement allows: %s', (_, placement) => {
    const fleet = [tainted(down), second];
    const end = settled(binding(placement, orphan), (object) => {
      const evicted = decideEviction(factsOf(object, { clusters: fleet }));
      return evicted.actions.length > 0 ? evicted : decideSchedule({ binding: object, clusters: fleet, now: noon });
    });
    expect(placed(end)).toEqual(['member2:4']);
  });

  test('copies that remain are enough: it does not spread to clusters where it did not run', () => {
    const fleet = [tainted(down), second, cluster('member3')];
    const start = binding({}, { ...orphan, on: ['member1:4', 'member2:4'] });
    const end = settled(start, (object) => {
      const evicted = decideEviction(factsOf(object, { clusters: fleet }));
      return evicted.actions.length > 0 ? evicted : decideSchedule({ binding: object, clusters: fleet, now: noon });
    });
    expect(placed(end)).toEqual(['member2:4']);
  });

  test('stays when nothing would note that it has to be replaced', () => {
    const facts = factsOf(binding({}, orphan), {
      gates: { Failover: true, GracefulEviction: false, StatefulFailoverInjection: false },
    });
    expect(decideEviction(facts)).toEqual({ actions: [], because: 'UpToDate' });
  });
});

describe('a hub that was away', () => {
  const failures = { since: new Map([['member1', Date.parse(noon) - 3_600_000]]), outage: undefined, over: new Map() };
  const away = (awakeSince: string, over: Partial<EvictionFacts> = {}): Partial<EvictionFacts> => ({
    failures: () => failures,
    awakeSince,
    ...over,
  });

  test.each([
    [
      'looks for itself before it evicts from a member that fails',
      away('2026-11-15T11:59:30Z'),
      'Tolerated',
      '2026-11-15T12:00:30Z',
    ],
    ['evicts once it has looked long enough', away('2026-11-15T11:59:00Z'), 'Evicting', undefined],
    [
      'does not evict from a member that has answered again',
      away('2026-11-15T11:00:00Z', { answering: new Set(['member1']) }),
      'Tolerated',
      '2026-11-15T12:00:01Z',
    ],
    [
      'does what people say of a member that is well at once',
      away(noon, { failures: () => noFailures }),
      'Evicting',
      undefined,
    ],
  ])('%s', (_, over, because, again) => {
    const decision = decideEviction(factsOf(binding({}, both), over));
    expect([decision.because, decision.again]).toEqual([because, again]);
  });

  test('looks again after an outage, since members come back one after the other', () => {
    const over = new Map([['member1', Date.parse('2026-11-15T11:59:50Z')]]);
    const decision = decideEviction(factsOf(binding({}, both), { failures: () => ({ ...failures, over }) }));
    expect([decision.because, decision.again]).toEqual(['Tolerated', '2026-11-15T12:00:50Z']);
    const untold = new Map([['member1', Infinity]]);
    expect(decideEviction(factsOf(binding({}, both), { failures: () => ({ ...failures, over: untold }) }))).toEqual({
      actions: [],
      because: 'Tolerated',
    });
  });

  test('does not count the time in which it did not see an unhealthy workload', () => {
    const application = { decisionConditions: { tolerationSeconds: 60 } };
    const object: Binding = {
      ...binding({}, { ...both, propagateDeps: true, failover: { application } }),
      status: {
        aggregatedStatus: [{ clusterName: 'member1', health: 'Unhealthy', unhealthySince: '2026-11-15T11:00:00Z' }],
      },
    };
    const facts = factsOf(object, { clusters: [cluster('member1'), second], awakeSince: '2026-11-15T11:59:30Z' });
    const decision = decideEviction(facts);
    expect([decision.because, decision.again]).toEqual(['UnhealthyTolerated', '2026-11-15T12:00:30Z']);
  });
});

test('during an outage nothing is evicted, and no grace period ends', () => {
  const outage = { failed: ['member1', 'member3'], total: 4 };
  const failures = () => ({ since: new Map(), outage, over: new Map() });
  expect(decideEviction(factsOf(binding({}, both), { failures }))).toEqual({
    actions: [],
    because: 'EvictionPaused',
    detail: '2 of 4 members failed within 300 s: member1, member3',
  });
  const old = binding({}, { on: ['member2'], gracefulEvictionTasks: [task()] });
  expect(decideEviction(factsOf(old, { failures, now: '2027-01-01T00:00:00Z' }))).toEqual({
    actions: [],
    because: 'EvictionWaits',
  });
});
