import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Binding, Cluster, Placement, Taint } from '../../src/api/index.ts';
import { decideSchedule, verdicts } from '../../src/engine/schedule/index.ts';
import { binding, cluster, noon, placed, settled } from '../kit/fleet.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const someNames = fc.subarray(names);
const gpu: Taint = { key: 'gpu', effect: 'NoSchedule' };

const anyCluster = (name: string): fc.Arbitrary<Cluster> =>
  fc
    .record({
      taints: fc.subarray([gpu]),
      leaving: fc.boolean().map((it) => it && name !== 'a'),
      region: fc.constantFrom('north', 'south', ''),
      serves: fc.constantFrom(['apps/v1/Deployment', 'v1/ConfigMap'], ['v1/ConfigMap']),
      free: fc.nat({ max: 40 }).map((pods) => ({ pods: String(pods) })),
    })
    .map((words) => cluster(name, words));

const anyFleet = someNames.chain((some) => fc.tuple(...some.map(anyCluster)));

const anyWeights = fc.array(
  fc.record({
    targetCluster: someNames.map((clusterNames) => ({ clusterNames })),
    weight: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 3 },
);

const anyDivision: fc.Arbitrary<Placement['replicaScheduling']> = fc.oneof(
  fc.constant(undefined),
  fc.constant({ replicaSchedulingType: 'Duplicated' as const }),
  anyWeights.map((staticWeightList) => ({
    replicaSchedulingType: 'Divided' as const,
    replicaDivisionPreference: 'Weighted' as const,
    weightPreference: { staticWeightList },
  })),
  fc.constant({ replicaSchedulingType: 'Divided' as const, replicaDivisionPreference: 'Aggregated' as const }),
  fc.constant({
    replicaSchedulingType: 'Divided' as const,
    weightPreference: { dynamicWeight: 'AvailableReplicas' as const },
  }),
);

const anyAffinity: fc.Arbitrary<Placement> = fc.oneof(
  fc.constant({}),
  fc.record({ clusterAffinity: fc.record({ clusterNames: someNames, exclude: fc.subarray(['a', 'b']) }) }),
  fc.record({
    clusterAffinities: fc.tuple(
      someNames.map((clusterNames) => ({ affinityName: 'first', clusterNames })),
      someNames.map((clusterNames) => ({ affinityName: 'second', clusterNames })),
    ),
  }),
  fc.record({
    clusterAffinities: fc.tuple(
      fc.record({
        affinityName: fc.constant('first'),
        clusterNames: someNames,
        overflowAffinities: fc.tuple(someNames.map((clusterNames) => ({ affinityName: 'overflow', clusterNames }))),
      }),
    ),
  }),
);

const anySpread: fc.Arbitrary<Placement> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc
    .tuple(fc.constantFrom('cluster' as const, 'region' as const), fc.integer({ min: 1, max: 2 }), fc.nat({ max: 4 }))
    .map(([spreadByField, minGroups, more]): Placement => ({
      spreadConstraints: [{ spreadByField, minGroups, maxGroups: minGroups + more }],
    })),
);

const anyPlacement = fc.tuple(anyAffinity, anyDivision, anySpread, fc.boolean()).map(asPlacement);

type Parts = readonly [Placement, Placement['replicaScheduling'], Placement, boolean];

function asPlacement([affinity, replicaScheduling, spread, tolerant]: Parts): Placement {
  return {
    ...affinity,
    ...spread,
    ...(replicaScheduling && { replicaScheduling }),
    ...(tolerant && { clusterTolerations: [{ operator: 'Exists' as const }] }),
  };
}

interface Story {
  readonly placement: Placement;
  readonly replicas: number | undefined;
  readonly on: readonly string[];
  readonly name: string;
  readonly asked: boolean;
}

const anyBinding = fc
  .record({
    placement: anyPlacement,
    replicas: fc.option(fc.nat({ max: 50 }), { nil: undefined }),
    on: fc.subarray(names.flatMap((name) => [name, `${name}:3`])).filter(namesOnce),
    name: fc.constantFrom('a', 'b'),
    asked: fc.boolean(),
  })
  .map(asBinding);

function asBinding({ placement, replicas, on, name, asked }: Story): Binding {
  const words = { on, name, ...(replicas !== undefined && { replicas }) };
  if (!asked) return binding(placement, words);
  const object = binding(placement, { ...words, rescheduleTriggeredAt: '2026-11-15T13:00:00Z' });
  return { ...object, status: { lastScheduledTime: noon } };
}

function namesOnce(targets: readonly string[]): boolean {
  return new Set(targets.map((it) => it.slice(0, 1))).size === targets.length;
}

const settle = (object: Binding, clusters: readonly Cluster[]): Binding =>
  settled(object, (it) => decideSchedule({ binding: it, clusters, now: noon }));

const isScheduled = ({ status }: Binding): boolean =>
  status?.conditions?.some(({ type, status: state }) => type === 'Scheduled' && state === 'True') === true;

function property(check: (start: Binding, fleet: readonly Cluster[]) => void): void {
  fc.assert(fc.property(anyBinding, anyFleet, check), { numRuns: 1000 });
}

describe('every binding in every fleet', () => {
  test('it settles, and what has settled decides nothing', () => {
    property((start, fleet) => {
      const end = settle(start, fleet);
      // A copy of everything: the answer must not hang on what is remembered by identity.
      const copy = JSON.parse(JSON.stringify({ binding: end, clusters: fleet, now: '2026-11-16T00:00:00Z' })) as {
        binding: Binding;
        clusters: Cluster[];
        now: string;
      };
      expect(decideSchedule(copy).actions).toEqual([]);
    });
  });

  test('one pass writes the spec or the status, never both', () => {
    property((start, fleet) => {
      const { actions } = decideSchedule({ binding: start, clusters: fleet, now: noon });
      expect(actions.length).toBeLessThanOrEqual(1);
    });
  });

  test('the order of the clusters is irrelevant', () => {
    property((start, fleet) => {
      expect(settle(start, [...fleet].reverse())).toEqual(settle(start, fleet));
    });
  });

  test('divided replicas sum up, and copies are whole', () => {
    property((start, fleet) => {
      const { spec, ...end } = settle(start, fleet);
      if (!isScheduled({ ...end, spec }) || spec.replicas === undefined) return;
      const counts = (spec.clusters ?? []).map(({ replicas }) => replicas ?? 0);
      const isDivided = spec.placement?.replicaScheduling?.replicaSchedulingType === 'Divided';
      if (isDivided) expect(counts.reduce((a, b) => a + b, 0)).toBe(spec.replicas);
      else expect(counts.every((count) => count === spec.replicas)).toBe(true);
    });
  });

  test('the result is sorted and names clusters of the fleet that stay', () => {
    property((start, fleet) => {
      const end = settle(start, fleet);
      if (!isScheduled(end)) return;
      const present = fleet.filter(({ metadata }) => !metadata.deletionTimestamp);
      const staying = new Set(present.map(({ metadata }) => metadata.name));
      const there = (end.spec.clusters ?? []).map(({ name }) => name);
      expect(there.every((name) => staying.has(name))).toBe(true);
      if (placed(end).join() !== placed(start).join()) expect(there).toEqual([...there].sort());
    });
  });

  test('the verdicts say what the schedule says', () => {
    property((start, fleet) => {
      const end = settle(start, fleet);
      const said = verdicts({ binding: end, clusters: fleet, now: noon });
      expect(said.map((verdict) => verdict.cluster)).toEqual(fleet.map(({ metadata }) => metadata.name).sort());
      const targets = new Set(end.spec.clusters?.map(({ name }) => name));
      for (const { cluster: name, chosen } of said) expect(chosen).toBe(targets.has(name));
    });
  });
});
