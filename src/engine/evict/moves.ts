import { keyOf, refOf } from '../../api/index.ts';
import type { Binding, GracefulEvictionTask, View } from '../../api/index.ts';
import { decideClaim, gatherClaim } from '../claim/index.ts';
import { workloadKind } from '../interpret/index.ts';
import { movingIndexKey } from '../match/index.ts';
import { isMovedGracefully, isMoving, keptWithin, movesOf } from '../move/index.ts';
import { decideRender, gatherRender, worksOf } from '../render/index.ts';
import { decideSchedule, isDivided, scheduleFacts } from '../schedule/index.ts';
import { copyIn } from './copies.ts';
import type { Copy } from './copies.ts';

/** All that the moves of one binding depend on. */
export interface MoveFacts {
  /** The copies of the placement and those that leave, by cluster. */
  readonly copies: ReadonlyMap<string, Copy>;
  /** Members of the fleet that are not leaving it. */
  readonly members: ReadonlySet<string>;
  /** No decision is about to change the clusters or what they are sent. */
  readonly isSettled: boolean;
  /** Old copies go at once: the gate is off, or the policy says so. */
  readonly isImmediate: boolean;
  /** Clusters from which workloads of the same namespace are moving: what they may use leaves after them. */
  readonly inUse: ReadonlySet<string>;
}

/** Gathers what is known of the moves of a binding; undefined when it is not in the middle of one. */
export function gatherMoves(view: View, binding: Binding): MoveFacts | undefined {
  if (!isMoving(binding)) return undefined;
  const works = worksOf(view, binding);
  const { clusters = [] } = binding.spec;
  const moves = movesOf(binding);
  const names = new Set([...clusters.map(({ name }) => name), ...moves.map(({ fromCluster }) => fromCluster)]);
  const copies = [...names].map((name) => [name, copyIn(view, works.get(name), view.health === 'assumed')] as const);
  return {
    copies: new Map(copies),
    members: new Set(view.clusters.flatMap(({ metadata }) => (metadata.deletionTimestamp ? [] : metadata.name))),
    isSettled: view.health !== 'awaited' && isSettled(view, binding),
    isImmediate: !isMovedGracefully(view.gates, binding),
    inUse: inUse(view, binding, moves),
  };
}

function isSettled(view: View, binding: Binding): boolean {
  const claim = gatherClaim(view, keyOf(binding.spec.resource));
  if (claim && decideClaim(claim).actions.length > 0) return false;
  if (decideSchedule(scheduleFacts(view, binding)).actions.some((action) => action.do === 'place')) return false;
  const render = gatherRender(view, keyOf(refOf(binding)));
  if (!render) return false;
  const { actions, because } = decideRender(render);
  return because !== 'ClaimUnsettled' && !actions.some((action) => action.do === 'render');
}

/** Only what runs no pods of its own leaves after the workloads of its namespace. */
function inUse(view: View, { spec }: Binding, moves: readonly GracefulEvictionTask[]): ReadonlySet<string> {
  const { namespace } = spec.resource;
  if (namespace === undefined || workloadKind(spec.resource)) return new Set();
  const names = moves.map(({ fromCluster }) => fromCluster);
  return new Set(names.filter((cluster) => isAnyIn(view, movingIndexKey(namespace, cluster))));
}

function isAnyIn(view: View, indexKey: string): boolean {
  let found = false;
  view.each(indexKey, () => {
    found = true;
  });
  return found;
}

/** The outcome for an old copy: it goes, it stays, or it stays with fewer replicas. */
export type MoveFate = 'goes' | 'stays' | { readonly replicas: number };

/** The fate of each old copy that a move keeps, by cluster. */
export function moveFates(binding: Binding, facts: MoveFacts): ReadonlyMap<string, MoveFate> {
  const fates = new Map<string, MoveFate>();
  const divided = isDividedNow(binding) ? keptNow(binding, facts) : undefined;
  for (const task of movesOf(binding)) {
    if (isOver(facts, task)) fates.set(task.fromCluster, 'goes');
    else if (task.suppressDeletion === true) fates.set(task.fromCluster, 'stays');
    else fates.set(task.fromCluster, divided ? dividedFate(task, divided) : copyFate(binding, facts, task));
  }
  return fates;
}

/** True when there is no copy to keep, or none that should be kept. Then no replacement is waited for. */
export function isOver({ copies, members, isImmediate }: MoveFacts, task: GracefulEvictionTask): boolean {
  const { fromCluster, suppressDeletion } = task;
  if (!members.has(fromCluster) || isImmediate || suppressDeletion === false) return true;
  return suppressDeletion === undefined && copies.get(fromCluster)?.isThere === false;
}

/** A copy goes when every copy that is wanted now is healthy. While no cluster is wanted, it stays. */
function copyFate(
  { spec }: Binding,
  { copies, isSettled, inUse: used }: MoveFacts,
  task: GracefulEvictionTask,
): MoveFate {
  const { clusters = [] } = spec;
  if (!isSettled || clusters.length === 0 || used.has(task.fromCluster)) return 'stays';
  return clusters.every(({ name }) => copies.get(name)?.isHealthy) ? 'goes' : 'stays';
}

function isDividedNow({ spec }: Binding): boolean {
  return spec.replicas !== undefined && spec.placement !== undefined && isDivided(spec.placement);
}

function dividedFate({ fromCluster, replicas = 0 }: GracefulEvictionTask, kept: KeptReplicas): MoveFate {
  const count = Math.min(replicas, kept.get(fromCluster) ?? replicas);
  if (count === 0) return 'goes';
  return count < replicas ? { replicas: count } : 'stays';
}

type KeptReplicas = ReadonlyMap<string, number>;

/** As many replicas are kept as are not ready yet where the placement wants them. */
function keptNow(binding: Binding, { copies, isSettled }: MoveFacts): KeptReplicas {
  const { clusters = [], replicas: wanted = 0 } = binding.spec;
  const moves = movesOf(binding);
  if (!isSettled) return new Map();
  const given = new Map(clusters.map(({ name, replicas = 0 }) => [name, replicas]));
  const readyIn = (name: string): number => copies.get(name)?.ready ?? 0;
  const ready = clusters.reduce((sum, { name, replicas = 0 }) => sum + Math.min(readyIn(name), replicas), 0);
  const kept = moves.map(({ fromCluster, replicas = 0 }) => {
    const own = given.get(fromCluster) ?? 0;
    const lastReady = copies.get(fromCluster)?.lastReady ?? 0;
    return { cluster: fromCluster, replicas, ready: Math.max(0, lastReady - own) };
  });
  return keptWithin(kept, Math.max(0, wanted - ready));
}
