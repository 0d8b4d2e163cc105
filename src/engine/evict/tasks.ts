import type { Binding, GracefulEvictionTask } from '../../api/index.ts';
import { lacksReplicas } from '../schedule/index.ts';
import type { EvictionFacts } from './facts.ts';

/** The outcome for an old copy: its removal is over, or waits for a time or for an action. */
export type Fate = { readonly over: true } | { readonly over: false; readonly until?: number };

/**
 * The fate of the old copy that a task keeps: it goes when the replacement is healthy, or when its grace is over. While
 * there is no place for a replacement anywhere, or none for all replicas that are divided, it stays, however long: what
 * it runs runs nowhere else. During an outage no grace ends.
 */
export function fateOf(facts: EvictionFacts, task: GracefulEvictionTask): Fate {
  const { binding } = facts;
  if (task.suppressDeletion !== undefined) return { over: !task.suppressDeletion };
  if (!binding.spec.clusters?.length || lacksReplicas(binding)) return { over: false };
  if (isReplaced(binding)) return { over: true };
  return facts.failures().outage ? { over: false } : afterGrace(facts, task);
}

/** A grace that ended during an outage, or just after it, has time for the members that are back to report. */
function afterGrace({ failures, settings, now }: EvictionFacts, task: GracefulEvictionTask): Fate {
  const since = Date.parse(task.creationTimestamp ?? now);
  const calm = [...failures().over.values()].map((end) => end + settings.awakeSeconds * 1000);
  const until = Math.max(since + (task.gracePeriodSeconds ?? settings.gracefulEvictionSeconds) * 1000, ...calm);
  if (until <= Date.parse(now)) return { over: true };
  return Number.isFinite(until) ? { over: false, until } : { over: false };
}

/**
 * Tells whether the scheduler has decided and the workload is healthy on every cluster that it chose. Nowhere is not
 * healthy.
 */
function isReplaced({ metadata, spec, status }: Binding): boolean {
  if (!spec.clusters?.length || status?.schedulerObservedGeneration !== metadata.generation) return false;
  const items = new Map(status?.aggregatedStatus?.map((item) => [item.clusterName, item]));
  return spec.clusters.every(({ name }) => items.get(name)?.health === 'Healthy');
}
