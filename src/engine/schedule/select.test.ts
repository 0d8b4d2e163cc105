import { describe, expect, test } from 'vitest';
import type { Binding, Cluster, Placement, SpreadConstraint } from '../../api/index.ts';
import { binding, cluster, members, noon, placed, scheduledCondition, settled } from '../../../test/kit/fleet.ts';
import type { BindingWords } from '../../../test/kit/fleet.ts';
import { decideSchedule } from './decide.ts';

const settle = (object: Binding, clusters: readonly Cluster[]): Binding =>
  settled(object, (it) => decideSchedule({ binding: it, clusters, now: noon }));

const spread = (field: SpreadConstraint['spreadByField'], min?: number, max?: number): SpreadConstraint => ({
  ...(field && { spreadByField: field }),
  ...(min !== undefined && { minGroups: min }),
  ...(max !== undefined && { maxGroups: max }),
});
const by = (...spreadConstraints: readonly SpreadConstraint[]): Placement => ({ spreadConstraints });
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

const capacities = (rooms: Readonly<Record<string, number>>): readonly Cluster[] =>
  Object.entries(rooms).map(([name, pods]) => cluster(name, { free: { pods: String(pods) } }));

const regions = [
  cluster('a1', { region: 'a' }),
  cluster('a2', { region: 'a' }),
  cluster('b1', { region: 'b' }),
  cluster('c1', { region: 'c' }),
  cluster('nowhere'),
];

describe('spreading copies', () => {
  const four = members(4);
  test.each<[string, readonly Cluster[], Placement, BindingWords, readonly string[]]>([
    ['at most two', four, by(spread('cluster', 1, 2)), {}, ['member1', 'member2']],
    ['no upper bound', four, by(spread('cluster', 2)), {}, ['member1', 'member2', 'member3', 'member4']],
    ['where it runs first', four, by(spread('cluster', 1, 2)), { on: ['member3'] }, ['member1', 'member3']],
    ['it stays though another name comes first', four, by(spread('cluster', 1, 1)), { on: ['member4'] }, ['member4']],
    ['two regions', regions, by(spread('region', 2, 2), spread('cluster', 1)), {}, ['a1', 'a2', 'b1']],
    ['two regions, two clusters', regions, by(spread('region', 2, 2), spread('cluster', 1, 2)), {}, ['a1', 'b1']],
    [
      'regions count more than clusters',
      regions,
      by(spread('region', 2, 2), spread('cluster', 1, 1)),
      {},
      ['a1', 'b1'],
    ],
    ['as few regions as may be', regions, by(spread('region', 1, 3), spread('cluster', 1, 9)), {}, ['a1', 'a2']],
    [
      'as many as the clusters need',
      regions,
      by(spread('region', 1, 3), spread('cluster', 4, 9)),
      {},
      ['a1', 'a2', 'b1', 'c1'],
    ],
    ['regions where it runs first', regions, by(spread('region', 1, 1), spread('cluster', 1)), { on: ['c1'] }, ['c1']],
    [
      'weights name the clusters, not the spread',
      four,
      { ...by(spread('cluster', 1, 1)), replicaScheduling: {} },
      { replicas: 4 },
      ['member1:1', 'member2:1', 'member3:1', 'member4:1'],
    ],
  ])('%s', (_, fleet, placement, words, clusters) => {
    expect(placed(settle(binding(placement, words), fleet))).toEqual(clusters);
  });

  test.each<[string, readonly Cluster[], Placement, string]>([
    ['too few clusters', members(1), by(spread('cluster', 2)), '1 clusters fit, and 2 are asked for'],
    ['too few regions', regions, by(spread('region', 4)), '3 regions fit, and 4 are asked for'],
    [
      'regions with too few clusters',
      regions,
      by(spread('region', 1, 2), spread('cluster', 4)),
      'fewer than 4 clusters',
    ],
    ['a spread we do not know', [cluster('a', { zones: ['z'] })], by(spread('zone', 1)), 'by zone is not supported'],
  ])('%s: it stays unplaced, with the reason', (_, fleet, placement, message) => {
    const result = settle(binding(placement), fleet);
    expect(scheduledCondition(result)).toBe('False Unschedulable');
    expect(result.status?.conditions?.[0]?.message).toContain(message);
  });
});

describe('dividing by the room there is', () => {
  const capacity = capacities({ a: 10, b: 20, c: 30 });
  test.each<[string, readonly Cluster[], Placement, BindingWords, readonly string[]]>([
    ['in proportion', capacity, dynamic, { replicas: 6 }, ['a:1', 'b:2', 'c:3']],
    ['all there is', capacity, dynamic, { replicas: 60 }, ['a:10', 'b:20', 'c:30']],
    ['on as few as may be', capacity, aggregated, { replicas: 30 }, ['c:30']],
    ['and the next one for the rest', capacity, aggregated, { replicas: 50 }, ['b:20', 'c:30']],
    ['growing moves nothing', capacity, dynamic, { replicas: 12, on: ['a:6'] }, ['a:7', 'b:2', 'c:3']],
    ['shrinking keeps the proportion', capacity, dynamic, { replicas: 3, on: ['a:2', 'b:4'] }, ['a:1', 'b:2']],
    ['growing together stays together', capacity, aggregated, { replicas: 8, on: ['a:2'] }, ['a:8']],
    ['shrinking together', capacity, aggregated, { replicas: 2, on: ['a:2', 'b:4'] }, ['b:2']],
    ['scaled to 0 it stays, by name and not by rank', capacity, dynamic, { replicas: 0, on: ['a', 'c:4'] }, ['a', 'c']],
    ['scaled to 0 it stays', capacity, dynamic, { replicas: 0, on: ['b:4'] }, ['b']],
    [
      'at most one cluster, the roomiest',
      capacity,
      { ...dynamic, ...by(spread('cluster', 1, 1)) },
      { replicas: 5 },
      ['c:5'],
    ],
    [
      'it makes way for a roomier one',
      capacity,
      { ...dynamic, ...by(spread('cluster', 1, 1)) },
      { replicas: 25, on: ['a:5'] },
      ['c:25'],
    ],
    ['what has no replicas goes everywhere', capacity, dynamic, {}, ['a', 'b', 'c']],
  ])('%s', (_, fleet, placement, words, clusters) => {
    expect(placed(settle(binding(placement, words), fleet))).toEqual(clusters);
  });

  test('too little room leaves it as it is', () => {
    const before = settle(binding(dynamic, { replicas: 6 }), capacity);
    const after = settle({ ...before, spec: { ...before.spec, replicas: 99 } }, capacity);
    expect(placed(after)).toEqual(['a:1', 'b:2', 'c:3']);
    expect(scheduledCondition(after)).toBe('False Unschedulable');
    expect(after.status?.conditions?.[0]?.message).toBe('there is capacity for 60 of 93 more replicas');
    const again = decideSchedule({ binding: after, clusters: capacity, now: noon });
    expect(again).toMatchObject({ actions: [], because: 'SchedulingFailed', again: '2026-11-15T12:01:00Z' });
  });

  test('on request, all of it is divided again, once', () => {
    const before = settle(binding(dynamic, { replicas: 6 }), capacities({ a: 100 }));
    expect(placed(before)).toEqual(['a:6']);
    const asked = { ...before, spec: { ...before.spec, rescheduleTriggeredAt: '2026-11-15T12:00:09Z' } };
    const grown = capacities({ a: 14, b: 20, c: 20 });
    expect(placed(settle(asked, grown))).toEqual(['a:2', 'b:2', 'c:2']);
  });
});
