import type { Cluster, Taint, TargetCluster, Toleration } from '../../api/index.ts';
import { appliedPlacement, tolerates } from '../schedule/index.ts';
import type { EvictionFacts } from './facts.ts';

/** A cluster that the workload must leave, because of a taint or because it is unhealthy there: at once, or later. */
export interface Eviction {
  readonly target: TargetCluster;
  readonly cause: 'taint' | 'application';
  /** Milliseconds since the epoch; 0 for at once. */
  readonly at: number;
}

/** The clusters of a binding that it must leave, now or later. Taints that are tolerated for good give no notice. */
export function taintEvictionsOf(facts: EvictionFacts): readonly Eviction[] {
  const expelling = expellingOf(facts.clusters);
  if (expelling.size === 0) return [];
  const targets = facts.binding.spec.clusters?.filter(({ name }) => expelling.has(name)) ?? [];
  if (targets.length === 0) return [];
  const tolerations = (appliedPlacement(facts.binding) ?? facts.binding.spec.placement)?.clusterTolerations ?? [];
  return targets.flatMap((target) => taintEvictionFor(target, expelling.get(target.name) ?? [], tolerations) ?? []);
}

const known = new WeakMap<readonly Cluster[], ReadonlyMap<string, readonly Taint[]>>();

/** Clusters with taints that evict what runs there; nearly always none. */
function expellingOf(clusters: readonly Cluster[]): ReadonlyMap<string, readonly Taint[]> {
  let expelling = known.get(clusters);
  if (!expelling) {
    const found = clusters.map(({ metadata, spec }) => [metadata.name, noExecute(spec.taints)] as const);
    known.set(clusters, (expelling = new Map(found.filter(([, taints]) => taints.length > 0))));
  }
  return expelling;
}

function noExecute(taints: readonly Taint[] | undefined): readonly Taint[] {
  return taints?.filter(({ effect }) => effect === 'NoExecute') ?? [];
}

/** The taint that drives the workload out first. */
function taintEvictionFor(
  target: TargetCluster,
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): Eviction | undefined {
  let first: Eviction | undefined;
  for (const taint of taints) {
    const at = endOf(taint, tolerations);
    if (at !== undefined && (!first || at < first.at)) first = { target, cause: 'taint', at };
  }
  return first;
}

/** When the taint stops being tolerated: the shortest of the tolerations that cover it counts; undefined for never. */
function endOf(taint: Taint, tolerations: readonly Toleration[]): number | undefined {
  const covering = tolerations.filter((toleration) => tolerates(toleration, taint));
  if (covering.length === 0) return 0;
  const seconds = Math.min(...covering.map(({ tolerationSeconds }) => tolerationSeconds ?? Number.POSITIVE_INFINITY));
  // Without the time at which it was added nothing can be counted from, and to evict early would be the worse mistake.
  if (seconds === Number.POSITIVE_INFINITY || !taint.timeAdded) return undefined;
  return Date.parse(taint.timeAdded) + Math.max(0, seconds) * 1000;
}
