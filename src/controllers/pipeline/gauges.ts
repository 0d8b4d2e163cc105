import type { Binding, KubeObject } from '../../api/index.ts';
import { bindingsKey } from '../../engine/index.ts';
import type { StateCounts, Totals } from '../../engine/index.ts';
import type { Metrics } from '../../observe/index.ts';
import type { WorkQueue } from '../../base/index.ts';
import type { HubCache } from '../../runtime/index.ts';

/** The options of the gauges of the control plane. */
export interface GaugesOptions {
  readonly view: HubCache;
  readonly totals: () => Totals;
  readonly states: () => StateCounts;
  readonly queueOf: (question: 'schedule' | 'evict') => WorkQueue | undefined;
}

/** Gauges that are cheaper to read than to keep; returns a function that removes them. */
export function observePipeline(metrics: Metrics, options: GaugesOptions): () => void {
  const reads = [readStates(metrics, options), readQueues(metrics, options), readEvictions(metrics, options)];
  return metrics.beforeReading(() => {
    for (const read of reads) read();
  });
}

function readStates(metrics: Metrics, { states }: GaugesOptions): () => void {
  const templates = metrics.gauge({
    name: 'sluice_templates',
    help: 'Templates that policies manage, by state, the worst that is true of each: failing, unhealthy, suspended, pending, progressing, in effect.',
    labels: ['state'],
  });
  return () => {
    const { inEffect, ...others } = states();
    for (const [state, count] of Object.entries({ ...others, 'in effect': inEffect })) templates(state).set(count);
  };
}

function readQueues(metrics: Metrics, { queueOf, totals }: GaugesOptions): () => void {
  const bindings = metrics.gauge({
    name: 'scheduler_pending_bindings',
    help: 'Bindings that wait for clusters: for their turn, for the next try, or for a fleet that fits.',
    labels: ['queue'],
  });
  const depth = metrics.gauge({
    name: 'eviction_queue_depth',
    help: 'Bindings that wait for a check of evictions.',
    labels: ['name'],
  });
  return () => {
    bindings('active').set(queueOf('schedule')?.size ?? 0);
    bindings('backoff').set(queueOf('schedule')?.waiting ?? 0);
    bindings('unschedulable').set(totals().unplaced);
    depth('evictor').set(queueOf('evict')?.size ?? 0);
  };
}

/** Walks over the bindings only where workloads may be evicted. */
function readEvictions(metrics: Metrics, { view }: GaugesOptions): () => void {
  const evicting = metrics.gauge({
    name: 'eviction_kind_total',
    help: 'Workloads that are being evicted from a member, by kind.',
    labels: ['member_cluster', 'resource_kind'],
  });
  return () => {
    if (!view.gates.Failover) return;
    const counts = new Map<string, number>();
    const count = (object: KubeObject): void => {
      const { gracefulEvictionTasks = [], resource } = (object as Binding).spec;
      for (const { fromCluster } of gracefulEvictionTasks) {
        const name = `${fromCluster}\u0000${resource.kind}`;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    };
    view.each(bindingsKey, count);
    metrics.clear('eviction_kind_total');
    for (const [name, number] of counts) evicting(...name.split('\u0000')).set(number);
  };
}
