import type { BindingSpec, Cluster, Placement, TargetCluster } from '../../api/index.ts';
import { groupsOf } from './affinity.ts';
import type { AffinityGroup } from './affinity.ts';
import { byAvailability, byWeight, copies, sharesOf } from './assign.ts';
import type { Assignment } from './assign.ts';
import { tieOrderOf } from './divide.ts';
import { dividesByCapacity, isPlacedWhole, isRescheduleAsked, isWorkload, strategyOf } from './facts.ts';
import type { ScheduleFacts } from './facts.ts';
import { candidatesOf, refusalOf } from './filter.ts';
import { groupInForce } from './placement.ts';
import { isSpread, ranked, select } from './select.ts';

/** Where the workload is to go, and by which affinity group. */
export interface Placed {
  readonly targets: readonly TargetCluster[];
  readonly group: AffinityGroup;
}

/**
 * Why it can go nowhere. `NoClusterFits` says that no cluster may have it, so that it is taken off all; with
 * `SchedulingFailed` clusters may have it but the wishes cannot be met, so that it stays where it is.
 */
export interface Failed {
  readonly because: 'NoClusterFits' | 'SchedulingFailed' | 'QuotaExceeded';
  readonly detail: string;
  /** Room comes and goes without a sign that would wake the binding, so it is worth another look. */
  readonly lacksCapacity?: boolean;
}

/** filter → rank → select → assign, for each affinity group from the one in force on, until one succeeds. */
export function outcomeOf(facts: ScheduleFacts, placement: Placement): Placed | Failed {
  const groups = groupsOf(placement);
  let first: Failed | undefined;
  for (let i = startOf(facts, groups); i < groups.length; i++) {
    const group = groups[i] ?? {};
    const outcome = outcomeIn(facts, placement, group);
    if (!('because' in outcome)) return { targets: outcome.targets, group };
    first ??= outcome;
  }
  return first ?? { because: 'SchedulingFailed', detail: 'the placement has no affinity group' };
}

/** It never goes back to an earlier group by itself, only when a reschedule is asked for. */
function startOf({ binding }: ScheduleFacts, groups: readonly AffinityGroup[]): number {
  if (groups.length === 1 || isRescheduleAsked(binding)) return 0;
  const group = groupInForce(binding);
  return Math.max(
    0,
    groups.findIndex(({ affinityName }) => affinityName === group),
  );
}

type Targets = { readonly targets: readonly TargetCluster[] };

function outcomeIn(facts: ScheduleFacts, placement: Placement, group: AffinityGroup): Targets | Failed {
  const candidates = candidatesOf(facts, group);
  if (candidates.length === 0) return { because: 'NoClusterFits', detail: refusals(facts, group) };
  const assignment = isPlain(facts, placement)
    ? { targets: plainTargets(facts, placement, candidates) }
    : chosen(facts, candidates, group);
  if (!('failed' in assignment)) return assignment;
  const { failed: detail, lacksCapacity } = assignment;
  return { because: 'SchedulingFailed', detail, ...(lacksCapacity && { lacksCapacity }) };
}

/** Tells whether the candidates alone determine the choice, whatever their capacity. */
function isPlain({ binding: { spec } }: ScheduleFacts, placement: Placement): boolean {
  return !isSpread(placement) && !dividesByCapacity(spec);
}

const known = new WeakMap<readonly Cluster[], Map<string, readonly TargetCluster[]>>();

/** Bindings with the same candidates, replicas and order among equals get the same targets: the very same array. */
function plainTargets(facts: ScheduleFacts, placement: Placement, candidates: readonly Cluster[]): Targets['targets'] {
  const { spec } = facts.binding;
  if (spec.replicas === 0) return targetsAmong(facts, placement, candidates);
  let targets = known.get(candidates);
  if (!targets) known.set(candidates, (targets = new Map()));
  const key = `${spec.replicas}|${spec.replicas === undefined ? '' : tieOrderOf(spec.resource)}`;
  let found = targets.get(key);
  if (!found) targets.set(key, (found = targetsAmong(facts, placement, candidates)));
  return found;
}

function targetsAmong(
  { binding }: ScheduleFacts,
  placement: Placement,
  clusters: readonly Cluster[],
): Targets['targets'] {
  const { spec } = binding;
  const isDivided = isWorkload(spec) && strategyOf(placement) === 'byWeight';
  return isDivided ? byWeight(spec, sharesOf(clusters, placement)) : copies(clusters, spec.replicas);
}

function chosen(facts: ScheduleFacts, candidates: readonly Cluster[], group: AffinityGroup): Assignment {
  const { spec } = facts.binding;
  const all = ranked(facts, candidates, group);
  const selection = isSpread(spec.placement ?? {}) ? select(facts, all) : { selected: all };
  if ('failed' in selection) return selection;
  if (dividesByCapacity(spec)) return byAvailability(facts, selection.selected);
  const clusters = selection.selected.map(({ cluster }) => cluster);
  const targets = copies(clusters.sort(byName), spec.replicas);
  return { targets: isPlacedWhole(facts) ? targets.map((target) => withComponents(target, spec)) : targets };
}

function withComponents(target: TargetCluster, { components = [] }: BindingSpec): TargetCluster {
  return { ...target, components: components.map(({ name, replicas }) => ({ name, replicas })) };
}

function byName(a: Cluster, b: Cluster): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

/** `0/3 clusters are available: 2 AffinityDiffers, 1 TaintUntolerated`; clusters that are leaving do not count. */
function refusals(facts: ScheduleFacts, group: AffinityGroup): string {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { metadata } of facts.clusters) {
    if (metadata.deletionTimestamp) continue;
    total++;
    const because = refusalOf(facts, group, metadata.name)?.because ?? '';
    counts.set(because, (counts.get(because) ?? 0) + 1);
  }
  if (total === 0) return 'there are no clusters';
  const list = [...counts.keys()].sort().map((because) => `${counts.get(because)} ${because}`);
  return `0/${total} clusters are available: ${list.join(', ')}`;
}
