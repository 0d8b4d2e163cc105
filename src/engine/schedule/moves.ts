import type { AggregatedStatusItem, Binding, GracefulEvictionTask, TargetCluster } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { isMove, keptWithin, moveTask } from '../move/index.ts';
import { isWorkload, strategyOf } from './facts.ts';
import type { ScheduleFacts } from './facts.ts';
import { appliedPlacement } from './placement.ts';

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

type ReplicaCounts = ReadonlyMap<string, number | undefined>;

const nothing: ReplicaCounts = new Map();

/** A task that exists keeps its time, so that a second change does not put off the deadline. */
function renewed(known: GracefulEvictionTask | undefined, task: GracefulEvictionTask): GracefulEvictionTask {
  if (!known) return task;
  const { replicas: _, ...rest } = known;
  return task.replicas === undefined ? rest : { ...rest, replicas: task.replicas };
}

function keptFor(facts: ScheduleFacts, targets: readonly TargetCluster[]): ReplicaCounts {
  const { binding } = facts;
  const evicted = new Set(
    binding.spec.gracefulEvictionTasks?.flatMap((task) => (isMove(task) ? [] : task.fromCluster)),
  );
  const staying = new Set(facts.clusters.flatMap(({ metadata }) => (metadata.deletionTimestamp ? [] : metadata.name)));
  const divides = isDividing(binding);
  const present = [...presentIn(facts)].filter(([name]) => staying.has(name) && !evicted.has(name));
  const wanted = new Map(targets.map(({ name, replicas }) => [name, replicas ?? 0]));
  if (!divides) return new Map(present.filter(([name]) => !wanted.has(name)).sort(byName));
  return keptReplicas(facts, present, wanted);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function isDividing({ spec }: Binding): boolean {
  return isWorkload(spec) && spec.placement !== undefined && strategyOf(spec.placement) !== 'duplicated';
}

/**
 * Where the workload runs, with its replicas: those of the placement until now, those that were kept already, and those that
 * were given up while a suspension puts off their removal.
 */
function presentIn({ binding: { spec }, suspendedIn }: ScheduleFacts): ReplicaCounts {
  const present = new Map(spec.clusters?.map(({ name, replicas }) => [name, replicas]));
  for (const { fromCluster, replicas } of (spec.gracefulEvictionTasks ?? []).filter(isMove)) {
    const given = present.get(fromCluster);
    present.set(fromCluster, given === undefined || replicas === undefined ? (given ?? replicas) : given + replicas);
  }
  if (suspendedIn) raise(present, suspendedIn());
  return present;
}

/** A cluster without a number has a whole copy. */
function raise(present: Map<string, number | undefined>, least: ReadonlyMap<string, number>): void {
  for (const [cluster, replicas] of least) {
    const known = present.has(cluster) ? present.get(cluster) : 0;
    if (known !== undefined && known < replicas) present.set(cluster, replicas);
  }
}

/**
 * Keeps as many replicas as are not ready yet where the placement wants them. Replicas that are scaled down are not
 * kept: they go whether the rest is ready or not, and those that are not ready go first.
 */
function keptReplicas(
  { binding, lastReadyIn }: ScheduleFacts,
  present: readonly (readonly [string, number | undefined])[],
  targets: ReadonlyMap<string, number>,
): ReplicaCounts {
  const { replicas: wanted = 0 } = binding.spec;
  const items = new Map(binding.status?.aggregatedStatus?.map((item) => [item.clusterName, item]));
  const before = wantedBefore(binding);
  // A copy that no number was given to is a whole one.
  const counts = present.map(([cluster, replicas = Math.max(before, wanted)]) => {
    return { cluster, replicas, given: targets.get(cluster) ?? 0, ready: readyIn(items.get(cluster), replicas) };
  });
  const ready = counts.reduce((sum, one) => sum + Math.min(one.ready, one.given), 0);
  const leaving = counts
    .filter(({ replicas, given }) => replicas > given)
    .map(({ cluster, replicas, given, ready: now }) => {
      return { cluster, replicas: replicas - given, ready: Math.max(now, lastReadyIn?.(cluster) ?? 0) - given };
    });
  const scaledDown = Math.max(0, before - wanted);
  const left = leaving.reduce((sum, { replicas }) => sum + replicas, 0) - scaledDown;
  const mostReady = leaving.reduce((sum, one) => sum + Math.max(0, Math.min(one.ready, one.replicas)), 0);
  const most = Math.min(wanted - ready, Math.max(left, mostReady));
  if (most <= 0) return nothing;
  return new Map([...keptWithin(leaving, most)].filter(([, replicas]) => replicas > 0));
}

/** How many replicas were wanted when the clusters were chosen last: copies have all of them each. */
function wantedBefore(binding: Binding): number {
  const counts = (binding.spec.clusters ?? []).map(({ replicas = 0 }) => replicas);
  const applied = appliedPlacement(binding);
  const isCopied = applied !== undefined && strategyOf(applied) === 'duplicated';
  return isCopied ? Math.max(0, ...counts) : counts.reduce((sum, count) => sum + count, 0);
}

function readyIn(item: AggregatedStatusItem | undefined, replicas: number): number {
  if (!item?.applied) return 0;
  const count = isObject(item.status) ? item.status['readyReplicas'] : undefined;
  if (typeof count === 'number') return Math.min(count, replicas);
  return item.health === 'Healthy' ? replicas : 0;
}
