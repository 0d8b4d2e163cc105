import { rescheduledAnnotation } from '../../api/index.ts';
import type { Binding, BindingSpec, Cluster, Gates, Placement } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import type { Action } from '../decision.ts';

/** All that the choice of clusters for one binding depends on. */
export interface ScheduleFacts {
  readonly binding: Binding;
  /** Every cluster of the fleet. The same array as long as no cluster changes: what is known of it is kept by identity. */
  readonly clusters: readonly Cluster[];
  /** Tells whether taints evict workloads that run. */
  readonly failover?: boolean;
  /** The definition of clusters is being deleted: that clusters go says nothing of what is wanted. */
  readonly isFleetGoing?: boolean;
  /** Tells whether copies that leave a cluster stay there until they are replaced. */
  readonly graceful?: boolean;
  /** Replicas that were ready in a cluster when it was last heard of; it is asked only when copies leave clusters. */
  readonly lastReadyIn?: (cluster: string) => number;
  /** Clusters that keep their copy because dispatching there is suspended, with its replicas; asked like `lastReadyIn`. */
  readonly suspendedIn?: () => ReadonlyMap<string, number>;
  readonly gates?: Partial<Gates>;
  /** The words for the quota that the binding exceeds as it is to be written; undefined when there is none. */
  readonly excess?: ((wanted: Binding) => string | undefined) | undefined;
  /** The ResourceQuotas of its namespace that clusters report; undefined while they do not count. */
  readonly reportedQuotas?: ((cluster: string) => readonly QuotaReport[]) | undefined;
  /** The workloads of its groups. */
  readonly neighbours?: Neighbours | undefined;
  /** RFC 3339. */
  readonly now: string;
}

/** A ResourceQuota as a cluster reports it. */
export interface QuotaReport {
  readonly hard: Readonly<Record<string, unknown>>;
  readonly used: Readonly<Record<string, unknown>>;
}

/** The places of the workloads that a workload must be placed together with, or apart from. */
export interface Neighbours {
  /** The clusters of each workload of the affinity group that has any. */
  readonly together: readonly ReadonlySet<string>[];
  /** All clusters of the anti-affinity group. */
  readonly apart: ReadonlySet<string>;
}

/**
 * Tells whether this change of a cluster can change the choice for any binding. The heartbeat of a cluster does not;
 * room in it does only for bindings that ask for it, and those look again by themselves.
 */
export function isFleetChange(before: Cluster | undefined, after: Cluster | undefined): boolean {
  if (!before || !after) return before !== after;
  return (
    before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
    !equal(before.metadata.labels, after.metadata.labels) ||
    !equal(before.spec, after.spec) ||
    !equal(before.status?.apiEnablements, after.status?.apiEnablements)
  );
}

/** `place` writes spec.clusters with the record of why; `report` writes the status. Never both in one pass. */
export type ScheduleAction = Action<'place' | 'report'>;

/** The name under which bindings ask for this scheduler; an empty one means the same. */
export const schedulerName = 'default-scheduler';

/** How the replicas of a placement are given out. */
export type Strategy = 'duplicated' | 'byWeight' | 'byAvailability';

/** The strategy of a placement: without replicaScheduling every cluster gets all replicas. */
export function strategyOf({ replicaScheduling }: Placement): Strategy {
  if (!replicaScheduling || replicaScheduling.replicaSchedulingType === 'Duplicated') return 'duplicated';
  if (replicaScheduling.replicaDivisionPreference === 'Aggregated') return 'byAvailability';
  return replicaScheduling.weightPreference?.dynamicWeight ? 'byAvailability' : 'byWeight';
}

/** Tells whether the replicas are divided between the clusters. */
export function isDivided(placement: Placement): boolean {
  return strategyOf(placement) !== 'duplicated';
}

/**
 * Tells whether the workload is placed as a whole where all its components fit. Only where the placement asks for
 * exactly one cluster: components are not divided.
 */
export function isPlacedWhole({ binding: { spec }, gates }: ScheduleFacts): boolean {
  const { components, placement = {} } = spec;
  if (!gates?.MultiplePodTemplatesScheduling || !components?.length || strategyOf(placement) !== 'byAvailability')
    return false;
  const constraint = placement.spreadConstraints?.find(({ spreadByField }) => spreadByField === 'cluster');
  return constraint?.minGroups === 1 && constraint.maxGroups === 1;
}

/** Tells whether the replicas of the binding are given out by the capacity of the clusters. */
export function dividesByCapacity(spec: BindingSpec): boolean {
  return isWorkload(spec) && strategyOf(spec.placement ?? {}) === 'byAvailability';
}

/** Tells whether the binding is for an object with replicas. One that is scaled to 0 still does. */
export function isWorkload({ replicas, replicaRequirements }: BindingSpec): boolean {
  return replicas !== undefined || replicaRequirements !== undefined;
}

/**
 * Tells whether a new choice was requested that has not been made yet. The request that was honoured last is written
 * together with its clusters; a binding without that record was scheduled by another, and is judged by time.
 */
export function isRescheduleAsked({ metadata, spec, status }: Binding): boolean {
  const { rescheduleTriggeredAt: asked } = spec;
  if (!asked || !status?.lastScheduledTime) return false;
  const honoured = metadata.annotations?.[rescheduledAnnotation];
  return honoured === undefined ? Date.parse(asked) >= Date.parse(status.lastScheduledTime) : asked !== honoured;
}
