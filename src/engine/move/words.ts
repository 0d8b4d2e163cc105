import type { AggregatedStatusItem, Binding } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { movesOf } from './tasks.ts';

/** For which clusters a move waits, and which keep their old copy. */
export interface MovingNames {
  readonly awaited: readonly string[];
  readonly kept: readonly string[];
}

/** `waits for member2, member1 kept`. */
export function movingWords({ awaited, kept }: MovingNames): string {
  const left = awaited.length > 0 ? awaited.join(', ') : 'a healthy replacement';
  return `waits for ${left}, ${kept.join(', ')} kept`;
}

/**
 * What people read of a workload in the middle of a move: `moving: waits for member2 (1/2 ready), member1 kept`.
 * Undefined when it is not moving.
 */
export function movingText(binding: Binding): string | undefined {
  const kept = movesOf(binding).map(({ fromCluster }) => fromCluster);
  if (kept.length === 0) return undefined;
  const { clusters = [] } = binding.spec;
  if (clusters.length === 0) return `moving: waits for a cluster that fits, ${kept.join(', ')} kept`;
  const items = new Map(binding.status?.aggregatedStatus?.map((item) => [item.clusterName, item]));
  const awaited = clusters.flatMap(({ name, replicas }) => awaitedText(items.get(name), name, replicas) ?? []);
  return `moving: ${movingWords({ awaited, kept })}`;
}

function awaitedText(
  item: AggregatedStatusItem | undefined,
  name: string,
  replicas: number | undefined,
): string | undefined {
  if (item?.health === 'Healthy') return undefined;
  if (replicas === undefined) return name;
  const ready = isObject(item?.status) ? item.status['readyReplicas'] : undefined;
  return `${name} (${typeof ready === 'number' ? ready : 0}/${replicas} ready)`;
}
