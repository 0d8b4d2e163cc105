import type { Cluster, Placement, SpreadConstraint } from '../../api/index.ts';
import { fieldOf, tierOf } from './affinity.ts';
import type { AffinityGroup } from './affinity.ts';
import { dividesByCapacity, isPlacedWhole, isRescheduleAsked, strategyOf } from './facts.ts';
import type { ScheduleFacts } from './facts.ts';
import { capacityFor, quotaFor, setsFor } from './available.ts';

/** A cluster that passed the filters, with what ranks it. */
export interface Candidate {
  readonly cluster: Cluster;
  readonly name: string;
  /** Replicas that the workload has there now; 0 also where it runs without replicas. */
  readonly present: number;
  readonly runsThere: boolean;
  /** Room for replicas, those that run there included; not looked at when every cluster gets all of them. */
  readonly available: number;
  /** 0 in the group itself, more in its overflow groups, which get only replicas that find no place before. */
  readonly tier: number;
}

/** Why the wishes of a placement cannot be met; a lack of room may pass by itself. */
export interface Unmet {
  readonly failed: string;
  readonly lacksCapacity?: boolean;
}

/** The candidates that the spread constraints leave, or why they cannot be satisfied. */
export type Selection = { readonly selected: readonly Candidate[] } | Unmet;

/** Ranks candidates: by tier, then where the workload runs, then by capacity, then by name. */
export function ranked(
  facts: ScheduleFacts,
  clusters: readonly Cluster[],
  group: AffinityGroup = {},
): readonly Candidate[] {
  const { spec } = facts.binding;
  const present = new Map(spec.clusters?.map(({ name, replicas }) => [name, replicas ?? 0]));
  const anew = isRescheduleAsked(facts.binding);
  const counted = dividesByCapacity(spec);
  const spaceIn = capacityIn(facts);
  const candidates = clusters.map((cluster): Candidate => {
    const { name } = cluster.metadata;
    const here = present.get(name);
    const available = spaceIn(cluster, here);
    const tier = tierOf(group, cluster, counted) ?? 0;
    return { cluster, name, present: here ?? 0, runsThere: here !== undefined && !anew, available, tier };
  });
  return candidates.sort(byRank);
}

/** The capacity of a cluster, with what runs there: in replicas, in sets of components, or not counted at all. */
function capacityIn(facts: ScheduleFacts): (cluster: Cluster, here: number | undefined) => number {
  const { spec } = facts.binding;
  if (dividesByCapacity(spec)) {
    const { reportedQuotas } = facts;
    return (cluster, here = 0) => {
      const capacity = capacityFor(spec, cluster) + here;
      return reportedQuotas
        ? Math.min(capacity, quotaFor(spec, reportedQuotas(cluster.metadata.name), here))
        : capacity;
    };
  }
  if (!isPlacedWhole(facts)) return () => Number.MAX_SAFE_INTEGER;
  const { components = [] } = spec;
  return (cluster, here) => setsFor(components, cluster) + (here === undefined ? 0 : 1);
}

function byRank(a: Candidate, b: Candidate): number {
  if (a.tier !== b.tier) return a.tier - b.tier;
  if (a.runsThere !== b.runsThere) return a.runsThere ? -1 : 1;
  if (a.available !== b.available) return b.available - a.available;
  return a.name < b.name ? -1 : 1;
}

/**
 * Tells whether the spread constraints narrow the choice. Those of a division by weight do not: the weights name the
 * clusters.
 */
export function isSpread(placement: Placement): boolean {
  return Boolean(placement.spreadConstraints?.length) && strategyOf(placement) !== 'byWeight';
}

/** Takes from ranked candidates those that satisfy the spread constraints by cluster and by region. */
export function select(facts: ScheduleFacts, candidates: readonly Candidate[]): Selection {
  const constraints = facts.binding.spec.placement?.spreadConstraints ?? [];
  const cluster = bounds(constraints.find(({ spreadByField }) => spreadByField === 'cluster'));
  const region = constraints.find(({ spreadByField }) => spreadByField === 'region');
  const unknown = constraints.find((it) => it.spreadByField !== 'cluster' && it.spreadByField !== 'region');
  if (unknown) return { failed: `spreading by ${unknown.spreadByField ?? unknown.spreadByLabel} is not supported` };
  const { spec } = facts.binding;
  const whole = isPlacedWhole(facts) ? 1 : 0;
  const needed = dividesByCapacity(spec) ? (spec.replicas ?? 0) : whole;
  return region
    ? byRegion(candidates, { cluster, region: bounds(region), needed })
    : enough(candidates, { ...cluster, needed });
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** An absent or zero upper bound means no bound. */
function bounds(constraint: SpreadConstraint | undefined): Bounds {
  return { min: constraint?.minGroups ?? 1, max: constraint?.maxGroups || Number.POSITIVE_INFINITY };
}

interface Need extends Bounds {
  /** Replicas for which the selected clusters must have capacity. */
  readonly needed: number;
}

/** The best candidates; the last ones make way for larger ones until there is capacity for all replicas. */
function enough(candidates: readonly Candidate[], { min, max, needed }: Need): Selection {
  if (candidates.length < min) return { failed: `${candidates.length} clusters fit, and ${min} are asked for` };
  const selected = candidates.slice(0, max);
  const spare = candidates.slice(max).sort((a, b) => b.available - a.available || (a.name < b.name ? -1 : 1));
  for (let i = selected.length - 1; i >= 0 && capacityOf(selected) < needed; i--) {
    const best = spare[0];
    const worst = selected[i];
    if (best && worst && best.available > worst.available) selected[i] = spare.shift() ?? best;
  }
  if (capacityOf(selected) >= needed) return { selected };
  return { failed: `there is capacity for ${capacityOf(selected)} of ${needed} replicas`, lacksCapacity: true };
}

/** The room in several clusters together. */
export function capacityOf(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, { available }) => Math.min(Number.MAX_SAFE_INTEGER, sum + available), 0);
}

interface Region {
  readonly name: string;
  readonly candidates: readonly Candidate[];
}

interface RegionNeed {
  readonly cluster: Bounds;
  readonly region: Bounds;
  readonly needed: number;
}

/** Where fewer clusters are allowed than regions are asked for, the regions count, as with Karmada: one cluster in each. */
function byRegion(candidates: readonly Candidate[], { cluster, region, needed }: RegionNeed): Selection {
  const regions = regionsOf(candidates);
  if (regions.length < region.min) return { failed: `${regions.length} regions fit, and ${region.min} are asked for` };
  const most = Math.max(region.min, Math.min(region.max, cluster.max));
  for (let count = region.min; count <= Math.min(most, regions.length); count++) {
    const selection = within(regions.slice(0, count), { ...cluster, needed });
    if ('selected' in selection) return selection;
  }
  const widest = [...regions].sort((a, b) => b.candidates.length - a.candidates.length);
  return within(widest.slice(0, most), { ...cluster, needed });
}

/** The best cluster of each region, then the best of the rest. */
function within(regions: readonly Region[], need: Need): Selection {
  const heads = regions.flatMap(({ candidates }) => candidates.slice(0, 1));
  const others = regions.flatMap(({ candidates }) => candidates.slice(1)).sort(byRank);
  const fixed = { failed: `the regions together have fewer than ${need.min} clusters` };
  if (heads.length + others.length < need.min) return fixed;
  const max = Math.max(0, need.max - heads.length);
  const rest = enough(others, { min: 0, max, needed: need.needed - capacityOf(heads) });
  return 'failed' in rest ? rest : { selected: [...heads, ...rest.selected] };
}

/** Regions where the workload runs come first, then those with more capacity or more clusters, then by name. */
function regionsOf(candidates: readonly Candidate[]): readonly Region[] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const name = fieldOf(candidate.cluster, 'region')[0] ?? '';
    const group = groups.get(name);
    if (group) group.push(candidate);
    else groups.set(name, [candidate]);
  }
  const regions = [...groups].map(([name, members]): Region => ({ name, candidates: members }));
  return regions.sort((a, b) => isRunning(b) - isRunning(a) || roomier(a, b) || (a.name < b.name ? -1 : 1));
}

function isRunning({ candidates }: Region): number {
  return candidates.some(({ runsThere }) => runsThere) ? 1 : 0;
}

function roomier(a: Region, b: Region): number {
  return capacityOf(b.candidates) - capacityOf(a.candidates) || b.candidates.length - a.candidates.length;
}
