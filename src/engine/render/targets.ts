import type { Binding, TargetCluster } from '../../api/index.ts';
import { isPurgedFirst, movesOf } from '../move/index.ts';

/** The clusters of the binding itself, then those where referrers need it; the first entry counts. */
export function targetsOf({ spec }: Binding): readonly TargetCluster[] {
  if (!spec.requiredBy?.length) return spec.clusters ?? [];
  const targets = new Map<string, TargetCluster>();
  for (const list of [spec.clusters, ...spec.requiredBy.map((snapshot) => snapshot.clusters)]) {
    for (const target of list ?? [])
      if (!targets.has(target.name)) targets.set(target.name, withoutForeignReplicas(target, list === spec.clusters));
  }
  return [...targets.values()];
}

/** The same clusters as they are rendered: with the replicas that a move keeps there until others are ready elsewhere. */
export function renderedTargetsOf(binding: Binding): readonly TargetCluster[] {
  const targets = targetsOf(binding);
  const moves = movesOf(binding);
  if (moves.length === 0) return targets;
  const kept = new Map(moves.map(({ fromCluster, replicas = 0 }) => [fromCluster, replicas]));
  return targets.map((target) => {
    const more = kept.get(target.name);
    return more && target.replicas !== undefined ? { ...target, replicas: target.replicas + more } : target;
  });
}

/** The replicas of a referrer are not replicas of its dependency. */
function withoutForeignReplicas(target: TargetCluster, own: boolean): TargetCluster {
  return own ? target : { name: target.name };
}

/** Where Works may exist: the targets, and clusters that are being evicted gracefully. */
export function existingClusters(binding: Binding): ReadonlySet<string> {
  const names = new Set(targetsOf(binding).map((target) => target.name));
  for (const task of binding.spec.gracefulEvictionTasks ?? []) if (!isPurgedFirst(task)) names.add(task.fromCluster);
  return names;
}
