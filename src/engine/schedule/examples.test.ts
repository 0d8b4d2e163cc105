import { describe, expect, test } from 'vitest';
import type { Binding, Cluster, ClusterAffinityTerm, Placement, SpreadConstraint } from '../../api/index.ts';
import { binding, cluster, noon, placed, scheduledCondition, settled } from '../../../test/kit/fleet.ts';
import { decideSchedule } from './decide.ts';

/**
 * Worked examples. A fleet is `a=4 b=2@north c`: clusters, free Pods where they are reported, and the region. The place
 * before and after is `a:3 b:1`; after may also be a failure.
 */
type Example = readonly [fleet: string, wish: Placement, replicas: number, before: string, after: string];

function fleetOf(text: string): readonly Cluster[] {
  return text.split(' ').map((word) => {
    const [left = '', region] = word.split('@');
    const [name = '', pods] = left.split('=');
    return cluster(name, { ...(region && { region }), ...(pods && { free: { pods } }) });
  });
}

const targetsOf = (text: string): readonly string[] => text.split(' ').filter(Boolean);

function outcome([fleet, wish, replicas, before]: Example): string {
  const start = binding(wish, { replicas, ...(before && { on: targetsOf(before) }), name: 'a' });
  const end = settled(start, (it: Binding) => decideSchedule({ binding: it, clusters: fleetOf(fleet), now: noon }));
  return scheduledCondition(end) === 'True Success' ? placed(end).join(' ') : (scheduledCondition(end) ?? '');
}

const tooFew = 'False Unschedulable';
const noFit = 'False NoClusterFit';

const equal: Placement = { replicaScheduling: { replicaSchedulingType: 'Divided' } };
const dynamic: Placement = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
};
const aggregated: Placement = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};
const copies: Placement = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } };

/** `a:1 b:2`: the weights of clusters. */
function weights(text: string): Placement {
  const staticWeightList = targetsOf(text).map((word) => {
    const [name = '', weight] = word.split(':');
    return { targetCluster: { clusterNames: [name] }, weight: Number(weight) };
  });
  return {
    replicaScheduling: {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: { staticWeightList },
    },
  };
}

function spread(placement: Placement, ...bounds: readonly string[]): Placement {
  const spreadConstraints = bounds.map((text): SpreadConstraint => {
    const [field, min, max] = text.split(' ');
    return {
      spreadByField: field as 'cluster' | 'region',
      ...(min && { minGroups: Number(min) }),
      ...(max && { maxGroups: Number(max) }),
    };
  });
  return { ...placement, spreadConstraints };
}

/** Groups of clusters: the first one, and those that take what overflows. */
function tiers(placement: Placement, ...[first = '', ...others]: readonly string[]): Placement {
  const group: ClusterAffinityTerm = {
    affinityName: 'first',
    clusterNames: first.split(' '),
    overflowAffinities: others.map((names, i) => ({ affinityName: `overflow${i}`, clusterNames: names.split(' ') })),
  };
  return { ...placement, clusterAffinities: [group] };
}

const table = (examples: readonly Example[]): void => {
  test.each(examples.map((example) => [describeExample(example), example] as const))('%s', (_, example) => {
    expect(outcome(example)).toBe(example[4]);
  });
};

const describeExample = ([fleet, wish, replicas, before, after]: Example): string =>
  `${replicas} replicas on ${fleet}, before ${before || 'nowhere'}, by ${JSON.stringify(wish)}: ${after}`;

describe('division by weight', () => {
  table([
    ['a b c', equal, 3, '', 'a:1 b:1 c:1'],
    ['a b c', equal, 2, '', 'a:1 b:1'],
    ['a b c', equal, 4, '', 'a:2 b:1 c:1'],
    ['a b c', equal, 7, '', 'a:3 b:2 c:2'],
    ['a b c', equal, 9, 'a:9', 'a:3 b:3 c:3'],
    ['a b', weights('a:1 b:1'), 10, '', 'a:5 b:5'],
    ['a b', weights('a:1 b:2'), 6, '', 'a:2 b:4'],
    ['a b', weights('a:1 b:2'), 1, '', 'b:1'],
    ['a b', weights('a:1 b:2'), 2, '', 'a:1 b:1'],
    ['a b', weights('a:1 b:2'), 4, '', 'a:1 b:3'],
    ['a b', weights('a:1 b:2'), 5, '', 'a:2 b:3'],
    ['a b c', weights('a:1 b:2 c:3'), 12, '', 'a:2 b:4 c:6'],
    ['a b c', weights('a:1 b:2 c:3'), 7, '', 'a:1 b:2 c:4'],
    ['a b c', weights('a:3 b:3 c:1'), 7, '', 'a:3 b:3 c:1'],
    ['a b c', weights('a:1 b:1'), 4, '', 'a:2 b:2'],
    ['a b c', weights('a:100 b:1'), 10, '', 'a:10'],
    ['a b', weights('other:5'), 4, '', 'a:2 b:2'],
    ['a b', weights('a:1 b:2'), 9, 'a:2 b:4', 'a:3 b:6'],
    ['a b', weights('a:1 b:2'), 3, 'a:2 b:4', 'a:1 b:2'],
    ['a b', weights('a:1 b:2'), 0, 'a:2 b:4', 'a b'],
  ]);
});

describe('division by capacity, in proportion', () => {
  table([
    ['a=10 b=10', dynamic, 4, '', 'a:2 b:2'],
    ['a=10 b=30', dynamic, 4, '', 'a:1 b:3'],
    ['a=6 b=12 c=18', dynamic, 12, '', 'a:2 b:4 c:6'],
    ['a=6 b=12 c=18', dynamic, 36, '', 'a:6 b:12 c:18'],
    ['a=6 b=12 c=18', dynamic, 37, '', tooFew],
    ['a=0 b=10', dynamic, 3, '', 'b:3'],
    ['a b=10', dynamic, 3, '', 'b:3'],
    ['a=10 b=10', dynamic, 6, 'a:4', 'a:5 b:1'],
    ['a=0 b=10', dynamic, 6, 'a:4', 'a:4 b:2'],
    ['a=10 b=10', dynamic, 4, 'a:6 b:2', 'a:3 b:1'],
    ['a=0 b=0', dynamic, 4, 'a:6 b:2', 'a:3 b:1'],
    ['a=0 b=0', dynamic, 9, 'a:6 b:2', tooFew],
    ['a=0 b=1', dynamic, 9, 'a:6 b:2', 'a:6 b:3'],
    ['a=5 b=5', dynamic, 0, 'a:6 b:2', 'a b'],
  ]);
});

describe('division by capacity, on as few clusters as possible', () => {
  table([
    ['a=10 b=20', aggregated, 8, '', 'b:8'],
    ['a=10 b=20', aggregated, 20, '', 'b:20'],
    ['a=10 b=20', aggregated, 24, '', 'a:8 b:16'],
    ['a=10 b=20', aggregated, 31, '', tooFew],
    ['a=10 b=20', aggregated, 12, 'a:8', 'a:12'],
    ['a=2 b=20', aggregated, 12, 'a:8', 'a:8 b:4'],
    ['a=10 b=20', aggregated, 4, 'a:4 b:8', 'b:4'],
    ['a=10 b=20', aggregated, 8, 'a:4 b:8', 'b:8'],
    ['a=10 b=20', aggregated, 10, 'a:4 b:8', 'a:3 b:7'],
  ]);
});

describe('spread by cluster', () => {
  table([
    ['a b c', spread(copies, 'cluster 1 2'), 3, '', 'a:3 b:3'],
    ['a b c', spread(copies, 'cluster 1 2'), 3, 'c:3', 'a:3 c:3'],
    ['a b c', spread(copies, 'cluster 1 1'), 3, 'c:3', 'c:3'],
    ['a b c', spread(copies, 'cluster 2'), 3, '', 'a:3 b:3 c:3'],
    ['a b c', spread(copies, 'cluster 4'), 3, '', tooFew],
    ['a=5 b=9 c=7', spread(dynamic, 'cluster 2 2'), 8, '', 'b:4 c:4'],
    ['a=5 b=9 c=7', spread(aggregated, 'cluster 1 1'), 9, '', 'b:9'],
    ['a=5 b=9 c=7', spread(aggregated, 'cluster 1 1'), 10, '', tooFew],
    ['a=5 b=9 c=7', spread(dynamic, 'cluster 1 2'), 17, '', tooFew],
    ['a=0 b=9 c=7', spread(aggregated, 'cluster 1 1'), 5, 'a:2', 'b:5'],
    ['a b', spread(weights('a:1 b:1'), 'cluster 1 1'), 4, '', 'a:2 b:2'],
  ]);
});

describe('spread by region', () => {
  table([
    ['a@n b@n c@s d@s', spread(copies, 'region 2 2', 'cluster 2 2'), 1, '', 'a:1 c:1'],
    ['a@n b@n c@s d@s', spread(copies, 'region 2 2', 'cluster 2 3'), 1, '', 'a:1 b:1 c:1'],
    ['a@n b@n c@s d@s', spread(copies, 'region 1 1', 'cluster 1 1'), 1, '', 'a:1'],
    ['a@n b@n c@s d@s', spread(copies, 'region 1 1', 'cluster 1 1'), 1, 'd:1', 'd:1'],
    ['a@n b@s c@e', spread(copies, 'region 2 2', 'cluster 2'), 1, '', 'a:1 c:1'],
    ['a@n b@s c@e', spread(copies, 'region 4', 'cluster 1'), 1, '', tooFew],
    ['a@n b@s c', spread(copies, 'region 1 3', 'cluster 1'), 1, '', 'a:1'],
    ['a b', spread(copies, 'region 1 1', 'cluster 1'), 1, '', noFit],
    ['a=2@n b=2@n c=9@s', spread(aggregated, 'region 1 1', 'cluster 1'), 4, '', 'c:4'],
    ['a=2@n b=2@n c=3@s', spread(dynamic, 'region 1 2', 'cluster 1'), 7, '', 'a:2 b:2 c:3'],
    ['a=2@n b=2@n c=3@s', spread(dynamic, 'region 2 2', 'cluster 2 2'), 5, '', 'a:2 c:3'],
  ]);
});

describe('overflow', () => {
  table([
    ['a=4 b=9', tiers(aggregated, 'a', 'b'), 3, '', 'a:3'],
    ['a=4 b=9', tiers(aggregated, 'a', 'b'), 4, '', 'a:4'],
    ['a=4 b=9', tiers(aggregated, 'a', 'b'), 5, '', 'a:4 b:1'],
    ['a=4 b=9', tiers(aggregated, 'a', 'b'), 13, '', 'a:4 b:9'],
    ['a=4 b=9', tiers(aggregated, 'a', 'b'), 14, '', tooFew],
    ['a=0 b=7', tiers(aggregated, 'a', 'b'), 4, 'a:2', 'a:2 b:2'],
    ['a=0 b=0', tiers(aggregated, 'a', 'b'), 2, 'a:2 b:2', 'a:2'],
    ['a=0 b=0', tiers(aggregated, 'a', 'b'), 3, 'a:2 b:2', 'a:2 b:1'],
    ['a=0 b=0', tiers(aggregated, 'a', 'b'), 1, 'a:2 b:2', 'a:1'],
    ['a=4 b=4', tiers(aggregated, 'a', 'b'), 5, 'a:2 b:2', 'a:5'],
    ['a=2 b=4 c=3 d=3', tiers(dynamic, 'a b', 'c d'), 6, '', 'a:2 b:4'],
    ['a=2 b=4 c=3 d=3', tiers(dynamic, 'a b', 'c d'), 10, '', 'a:2 b:4 c:2 d:2'],
    ['a=1 b=1 c=5', tiers(aggregated, 'a', 'b', 'c'), 4, '', 'a:1 b:1 c:2'],
    ['a=1 b=0 c=5', tiers(aggregated, 'a', 'b', 'c'), 4, '', 'a:1 c:3'],
    ['a=4 b=9', tiers(aggregated, 'x', 'b'), 4, '', 'b:4'],
    ['a=4 b=9', tiers(aggregated, 'a', 'a b'), 6, '', 'a:4 b:2'],
    ['a=4 b=9', tiers(aggregated, 'x', 'y'), 4, '', noFit],
    ['a=4 b=9', tiers(aggregated, 'a', 'b'), 0, 'a:4 b:2', 'a b'],
    ['a=4 b=9', tiers(aggregated, 'a', 'b'), 0, '', 'a'],
    ['a=4 b=9', tiers(copies, 'a', 'b'), 6, '', 'a:6'],
    ['a=4 b=9 c=9', spread(tiers(aggregated, 'a', 'b c'), 'cluster 1 2'), 6, '', 'a:4 b:2'],
  ]);
});
