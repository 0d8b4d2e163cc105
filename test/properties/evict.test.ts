import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../src/api/index.ts';
import type { Binding, Cluster, GracefulEvictionTask, Taint } from '../../src/api/index.ts';
import { decideEviction } from '../../src/engine/evict/index.ts';
import type { EvictionFacts } from '../../src/engine/evict/index.ts';
import type { ActiveSuspension } from '../../src/engine/suspension/index.ts';
import { decideSchedule } from '../../src/engine/schedule/index.ts';
import { binding, cluster, noon, settled } from '../kit/fleet.ts';

const names = ['a', 'b', 'c'];

const anyTaint: fc.Arbitrary<Taint> = fc.record({
  key: fc.constantFrom('down', 'full'),
  effect: fc.constantFrom('NoExecute', 'NoSchedule'),
  timeAdded: fc.constantFrom('2026-11-15T11:00:00Z', '2026-11-15T11:59:30Z', noon),
});
const anyFleet = fc.tuple(
  ...names.map((name) => fc.array(anyTaint, { maxLength: 2 }).map((taints) => cluster(name, { taints }))),
);

const anyTask: fc.Arbitrary<GracefulEvictionTask> = fc.record(
  {
    fromCluster: fc.constantFrom(...names),
    reason: fc.constant('TaintUntolerated'),
    producer: fc.constant('TaintManager'),
    creationTimestamp: fc.constantFrom('2026-11-15T11:00:00Z', noon),
    gracePeriodSeconds: fc.constantFrom(0, 30),
    suppressDeletion: fc.boolean(),
  },
  { requiredKeys: ['fromCluster', 'reason', 'producer'] },
);

const anyBinding = fc
  .record({
    on: fc.subarray(names),
    tasks: fc.array(anyTask, { maxLength: 2 }),
    seconds: fc.constantFrom(undefined, 0, 45, 1_000_000),
    divided: fc.boolean(),
  })
  .map(({ on, tasks, seconds, divided }) =>
    binding(
      {
        ...(seconds !== undefined && {
          clusterTolerations: [{ key: 'down', operator: 'Exists', tolerationSeconds: seconds }],
        }),
        replicaScheduling: { replicaSchedulingType: divided ? 'Divided' : 'Duplicated' },
      },
      { on: on.map((name) => `${name}:2`), replicas: 4, gracefulEvictionTasks: tasks },
    ),
  );

function factsOf(object: Binding, clusters: readonly Cluster[], own: readonly ActiveSuspension[] = []): EvictionFacts {
  return {
    binding: object,
    clusters,
    suspensions: { own, placedBy: [] },
    gates: { Failover: true, GracefulEviction: true, StatefulFailoverInjection: false },
    failures: () => ({ since: new Map(), outage: undefined, over: new Map() }),
    settings: defaultSettings,
    now: noon,
  };
}

function notesOn({ spec }: Binding, cluster: string): number {
  return spec.gracefulEvictionTasks?.filter(({ fromCluster }) => fromCluster === cluster).length ?? 0;
}

function property(check: (start: Binding, fleet: readonly Cluster[]) => void): void {
  fc.assert(fc.property(anyBinding, anyFleet, check), { numRuns: 500 });
}

describe('every binding under every taint', () => {
  test('eviction and schedule come to rest together', () => {
    property((start, fleet) => {
      settled(start, (object) => {
        const evicted = decideEviction(factsOf(object, fleet));
        return evicted.actions.length > 0 ? evicted : decideSchedule({ binding: object, clusters: fleet, now: noon });
      });
    });
  });

  test('while all dispatching is suspended no cluster is left and no old copy goes', () => {
    property((start, fleet) => {
      const end = settled(start, (object) => decideEviction(factsOf(object, fleet, [{ by: 'x', clusters: 'all' }])));
      expect(end.spec.clusters).toEqual(start.spec.clusters);
      expect(end.spec.gracefulEvictionTasks).toHaveLength(start.spec.gracefulEvictionTasks?.length ?? 0);
    });
  });

  test('a workload leaves only clusters with a taint that drives out, and leaves one note on each', () => {
    property((start, fleet) => {
      const end = settled(start, (object) => decideEviction(factsOf(object, fleet)));
      const staying = new Set(end.spec.clusters?.map(({ name }) => name));
      for (const { name } of start.spec.clusters ?? []) {
        if (staying.has(name)) continue;
        const taints = fleet.find(({ metadata }) => metadata.name === name)?.spec.taints ?? [];
        expect(taints.some(({ effect }) => effect === 'NoExecute')).toBe(true);
        const notes = notesOn(end, name);
        expect(notes).toBeGreaterThanOrEqual(1);
        expect(notes).toBeLessThanOrEqual(Math.max(1, notesOn(start, name)));
      }
    });
  });

  test('another look is asked for in the future only, and finds something due', () => {
    property((start, fleet) => {
      const end = settled(start, (object) => decideEviction(factsOf(object, fleet)));
      const { again } = decideEviction(factsOf(end, fleet));
      if (again === undefined) return;
      expect(Date.parse(again)).toBeGreaterThan(Date.parse(noon));
      expect(decideEviction({ ...factsOf(end, fleet), now: again }).actions).not.toEqual([]);
    });
  });
});
