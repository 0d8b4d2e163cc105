import { policyFamilies } from '../../api/index.ts';
import type { Binding, Placement } from '../../api/index.ts';
import { inEffectOf } from '../claim/index.ts';
import { isMove } from '../move/index.ts';
import type { Reason } from '../reasons.ts';
import { isRescheduleAsked, isWorkload, schedulerName, strategyOf } from './facts.ts';
import type { ScheduleFacts } from './facts.ts';
import { isPlacementChanged } from './placement.ts';

/** Why the scheduler must leave this binding alone; undefined when it must not. */
export function notOurs({ metadata, spec }: Binding): Reason | undefined {
  if (metadata.deletionTimestamp) return 'BindingDeleting';
  if (!spec.placement) return 'NoPlacement';
  if (spec.schedulerName && spec.schedulerName !== schedulerName) return 'OtherScheduler';
  return spec.suspension?.scheduling ? 'SchedulingSuspended' : undefined;
}

/**
 * Tells whether a new choice of clusters is due. A binding that its policy does not manage stays as it is, unless a
 * member that it names is leaving or an eviction took copies from it. Divided replicas are left where they are until
 * something asks for a change; copies follow the fleet.
 */
export function isDue(facts: ScheduleFacts, placement: Placement): boolean {
  const { binding } = facts;
  if (isLosingMember(facts)) return true;
  if (whyFrozen(binding)) return isShortByEviction(binding);
  return (
    strategyOf(placement) === 'duplicated' ||
    !isWorkload(binding.spec) ||
    !binding.spec.clusters?.length ||
    assignedReplicas(binding) !== (binding.spec.replicas ?? 0) ||
    isRescheduleAsked(binding) ||
    isPlacementChanged(binding, placement)
  );
}

/**
 * Tells whether an eviction left it nowhere, or with fewer replicas than it has. Nobody but the scheduler can replace
 * them.
 */
function isShortByEviction(binding: Binding): boolean {
  const { gracefulEvictionTasks, clusters } = binding.spec;
  const isEvicted = gracefulEvictionTasks?.some((task) => !isMove(task)) === true;
  return isEvicted && (!clusters?.length || lacksReplicas(binding));
}

/** Tells whether some replicas that have to be divided are not given out. */
export function lacksReplicas(binding: Binding): boolean {
  return isDivided(binding) && assignedReplicas(binding) < (binding.spec.replicas ?? 0);
}

/** Tells whether all replicas that have to be divided are given out. */
export function isPlacedInFull(binding: Binding): boolean {
  return !isDivided(binding) || assignedReplicas(binding) === (binding.spec.replicas ?? 0);
}

function isDivided({ spec }: Binding): boolean {
  return spec.placement !== undefined && isWorkload(spec) && strategyOf(spec.placement) !== 'duplicated';
}

/**
 * The reason why a binding keeps its placement and its clusters, whatever happens to the fleet: the policy of its
 * placement is gone, or gave way to one that waits. Undefined while that policy manages it.
 */
export function whyFrozen(binding: Binding): Reason | undefined {
  const { labels } = binding.metadata;
  const managingId = labels?.[policyFamilies.namespace.idLabel] ?? labels?.[policyFamilies.cluster.idLabel];
  if (!managingId) return 'PolicyGone';
  const { policy } = inEffectOf(binding) ?? {};
  return policy && policy.id !== managingId ? 'WaitingForTemplateChange' : undefined;
}

/** The number of replicas that the binding has given out to all its clusters. */
export function assignedReplicas({ spec }: Binding): number {
  return spec.clusters?.reduce((sum, { replicas }) => sum + (replicas ?? 0), 0) ?? 0;
}

const staying = new WeakMap<ScheduleFacts['clusters'], ReadonlySet<string>>();

/** Tells whether the binding names a member that has left the fleet, or is leaving it. */
function isLosingMember({ binding, clusters }: ScheduleFacts): boolean {
  let names = staying.get(clusters);
  if (!names) {
    const present = clusters.filter((cluster) => !cluster.metadata.deletionTimestamp);
    staying.set(clusters, (names = new Set(present.map((cluster) => cluster.metadata.name))));
  }
  return binding.spec.clusters?.some(({ name }) => !names.has(name)) === true;
}
