import type { BindingSpec, Cluster, Placement, TargetCluster } from '../../api/index.ts';
import { selectsCluster } from './affinity.ts';
import { divide, tieOrderOf } from './divide.ts';
import type { Share } from './divide.ts';
import { isRescheduleAsked } from './facts.ts';
import type { ScheduleFacts } from './facts.ts';
import { capacityOf } from './select.ts';
import type { Candidate, Unmet } from './select.ts';

type Targets = readonly TargetCluster[];

/** Where the workload goes, by name; or why it cannot be given out. */
export type Assignment = { readonly targets: Targets } | Unmet;

/** Every cluster gets all replicas; what has none is just there. */
export function copies(clusters: readonly Cluster[], replicas: number | undefined): readonly TargetCluster[] {
  return clusters.map(({ metadata: { name } }) => (replicas ? { name, replicas } : { name }));
}

/** The weight of each cluster: that of the best rule that selects it. Without rules all weigh the same. */
export function sharesOf(clusters: readonly Cluster[], { replicaScheduling }: Placement): readonly Share[] {
  const rules = replicaScheduling?.weightPreference?.staticWeightList ?? [];
  const shares = clusters.flatMap((cluster) => {
    const weights = rules.filter((rule) => selectsCluster(rule.targetCluster, cluster)).map((rule) => rule.weight);
    const weight = Math.max(0, ...weights);
    return weight > 0 ? [{ name: cluster.metadata.name, weight }] : [];
  });
  return shares.length > 0 ? shares : clusters.map(({ metadata: { name } }) => ({ name, weight: 1 }));
}

/** Divides all replicas again, by weight. Scaled to 0 it stays where it is, so that scaling up again moves nothing. */
export function byWeight(spec: BindingSpec, shares: readonly Share[]): readonly TargetCluster[] {
  const { replicas = 0, clusters = [], resource } = spec;
  if (replicas > 0) return withReplicas(divide(replicas, shares, tieOrderOf(resource)));
  const present = shares.filter(({ name }) => clusters.some((target) => target.name === name));
  const names = (present.length > 0 ? present : shares).map(({ name }) => name);
  return names.sort().map((name) => ({ name }));
}

/**
 * Divides the replicas by the capacity of the clusters; what runs is moved only when a reschedule was asked for. Every
 * tier takes as many as it has capacity for, so that an overflow group gets only the rest, and shrinks first.
 */
export function byAvailability(facts: ScheduleFacts, selected: readonly Candidate[]): Assignment {
  const { spec } = facts.binding;
  const tiers = [...Map.groupBy(selected, ({ tier }) => tier)].sort(([a], [b]) => a - b).map(([, found]) => found);
  let { replicas: left = 0 } = spec;
  if (left === 0) return { targets: scaledToZero(spec, selected, tiers[0] ?? []) };
  const targets: TargetCluster[] = [];
  for (const [i, tier] of tiers.entries()) {
    const give = i === tiers.length - 1 ? left : Math.min(left, capacityOf(tier));
    const given = give > 0 ? inTier(facts, tier, give) : { targets: [] };
    if ('failed' in given) return given;
    targets.push(...given.targets);
    left -= give;
  }
  return { targets: targets.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

function scaledToZero(spec: BindingSpec, selected: readonly Candidate[], first: readonly Candidate[]): Targets {
  const used = selected.filter(({ name }) => spec.clusters?.some((target) => target.name === name));
  return byWeight(
    spec,
    asShares(used.length > 0 ? used : first, () => 1),
  );
}

/** Divides replicas among the clusters of one tier. */
function inTier({ binding }: ScheduleFacts, selected: readonly Candidate[], replicas: number): Assignment {
  const { resource, placement } = binding.spec;
  const aggregated = placement?.replicaScheduling?.replicaDivisionPreference === 'Aggregated';
  const division = isRescheduleAsked(binding) ? anew(selected, replicas) : onward(selected, replicas);
  if (capacityIn(division) < division.give) {
    return {
      failed: `there is capacity for ${capacityIn(division)} of ${division.give} more replicas`,
      lacksCapacity: true,
    };
  }
  const shares = aggregated ? fewest(division) : division.shares;
  const given = divide(division.give, shares, tieOrderOf(resource));
  const total = new Map(selected.map(({ name }) => [name, (division.kept.get(name) ?? 0) + (given.get(name) ?? 0)]));
  return { targets: withReplicas(total) };
}

/** Replicas that stay where they are, and those to give out by shares. */
interface Division {
  readonly kept: ReadonlyMap<string, number>;
  readonly give: number;
  /** Best first. */
  readonly shares: readonly Share[];
}

const nothing: ReadonlyMap<string, number> = new Map();

function anew(selected: readonly Candidate[], replicas: number): Division {
  return { kept: nothing, give: replicas, shares: largestFirst(asShares(selected, ({ available }) => available)) };
}

/** Scaling down shrinks in proportion to what runs; scaling up gives out only what is missing. */
function onward(selected: readonly Candidate[], replicas: number): Division {
  const running = selected.reduce((sum, { present }) => sum + present, 0);
  if (running >= replicas) {
    return { kept: nothing, give: replicas, shares: largestFirst(asShares(selected, ({ present }) => present)) };
  }
  const used = selected.filter(({ present }) => present > 0);
  return {
    kept: new Map(used.map(({ name, present }) => [name, present])),
    give: replicas - running,
    shares: [...byCapacity(used), ...byCapacity(selected.filter(({ present }) => present === 0))],
  };
}

/** Candidates with the most capacity for more replicas first. */
function byCapacity(candidates: readonly Candidate[]): readonly Share[] {
  return largestFirst(asShares(candidates, ({ available, present }) => available - present));
}

function asShares(candidates: readonly Candidate[], weigh: (candidate: Candidate) => number): readonly Share[] {
  return candidates.map((it) => ({ name: it.name, weight: weigh(it) })).filter(({ weight }) => weight > 0);
}

function largestFirst(shares: readonly Share[]): readonly Share[] {
  return [...shares].sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
}

function capacityIn({ shares }: Division): number {
  return shares.reduce((sum, { weight }) => sum + weight, 0);
}

/** The shortest run of shares, best first, that has capacity for all replicas. */
function fewest({ shares, give }: Division): readonly Share[] {
  let capacity = 0;
  const last = shares.findIndex(({ weight }) => (capacity += weight) >= give);
  return shares.slice(0, last + 1);
}

function withReplicas(counts: ReadonlyMap<string, number>): readonly TargetCluster[] {
  const targets = [...counts].map(([name, replicas]) => ({ name, replicas }));
  return targets.filter(({ replicas }) => replicas > 0).sort((a, b) => (a.name < b.name ? -1 : 1));
}
