import type { AggregatedStatusItem, Binding, GracefulEvictionTask, TargetCluster } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { isMove, keptWithin, moveTask } from '../move/index.ts';
import { isWorkload, strategyOf } from './facts.ts';
import type { ScheduleFacts } from './facts.ts';

type Tasks = readonly GracefulEvictionTask[] | undefined;

/**
 * The tasks of a binding once it is placed on these clusters: one for each cluster that keeps a copy, or replicas of a
 * divided workload, until the placement is healthy elsewhere. A cluster that comes back loses its task, so its copy is
 * used again. A cluster that leaves the fleet gets none.
 */
export function tasksFor(facts: ScheduleFacts, targets: readonly TargetCluster[]): Tasks {
  const { binding, graceful, now } = facts;
  const before = binding.spec.gracefulEvictionTasks;
  const kept = graceful ? keptFor(facts, targets) : nothing;
  if (kept.size === 0 && !before?.some(isMove)) return before;
  const known = new Map(before?.filter(isMove).map((task) => [task.fromCluster, task]));
  const moves = [...kept].map(([cluster, replicas]) => renewed(known.get(cluster), moveTask(cluster, replicas, now)));
  return [...(before ?? []).filter((task) => !isMove(task)), ...moves];
}

type Counts = ReadonlyMap<string, number | undefined>;

const nothing: Counts = new Map();

/** A task that exists keeps its time, so that a second change does not put off the deadline. */
function renewed(known: GracefulEvictionTask | undefined, task: GracefulEvictionTask): GracefulEvictionTask {
  if (!known) return task;
  const { replicas: _, ...rest } = known;
  return task.replicas === undefined ? rest : { ...rest, replicas: task.replicas };
}

function keptFor(facts: ScheduleFacts, targets: readonly TargetCluster[]): Counts {
  const { binding } = facts;
  const evicted = new Set(
    binding.spec.gracefulEvictionTasks?.flatMap((task) => (isMove(task) ? [] : task.fromCluster)),
  );
  const staying = new Set(facts.clusters.flatMap(({ metadata }) => (metadata.deletionTimestamp ? [] : metadata.name)));
  const divides = isDividing(binding);
  const present = [...presentIn(binding, divides)].filter(([name]) => staying.has(name) && !evicted.has(name));
  const wanted = new Map(targets.map(({ name, replicas }) => [name, replicas ?? 0]));
  if (!divides) return new Map(present.filter(([name]) => !wanted.has(name)).sort(byName));
  return keptReplicas(binding, present, wanted);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function isDividing({ spec }: Binding): boolean {
  return isWorkload(spec) && spec.placement !== undefined && strategyOf(spec.placement) !== 'duplicated';
}

/** Where the workload runs, with its replicas: those of the placement until now, and those that were kept already. */
function presentIn({ spec }: Binding, divides: boolean): Counts {
  const present = new Map(spec.clusters?.map(({ name, replicas }) => [name, replicas]));
  for (const { fromCluster, replicas } of (spec.gracefulEvictionTasks ?? []).filter(isMove)) {
    if (divides) present.set(fromCluster, (present.get(fromCluster) ?? 0) + (replicas ?? 0));
    else if (!present.has(fromCluster)) present.set(fromCluster, replicas);
  }
  return present;
}

/** As many replicas are kept as the placement has yet to start elsewhere: scaling down keeps none. */
function keptReplicas(
  binding: Binding,
  present: readonly (readonly [string, number | undefined])[],
  wanted: ReadonlyMap<string, number>,
): Counts {
  const counts = present.map(([cluster, replicas = 0]) => ({ cluster, replicas, given: wanted.get(cluster) ?? 0 }));
  const started = counts.reduce((sum, { replicas, given }) => sum + Math.min(replicas, given), 0);
  const missing = (binding.spec.replicas ?? 0) - started;
  if (missing <= 0) return nothing;
  const items = new Map(binding.status?.aggregatedStatus?.map((item) => [item.clusterName, item]));
  const leaving = counts
    .filter(({ replicas, given }) => replicas > given)
    .map(({ cluster, replicas, given }) => {
      const ready = readyIn(items.get(cluster), replicas) - given;
      return { cluster, replicas: replicas - given, ready };
    });
  return new Map([...keptWithin(leaving, missing)].filter(([, replicas]) => replicas > 0));
}

function readyIn(item: AggregatedStatusItem | undefined, replicas: number): number {
  if (item?.health === 'Healthy') return replicas;
  const count = isObject(item?.status) ? item.status['readyReplicas'] : undefined;
  return typeof count === 'number' ? count : 0;
}
