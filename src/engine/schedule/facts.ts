import { clusterApi, keyOf, memberOfNamespace, rescheduledAnnotation } from '../../api/index.ts';
import type { Binding, BindingSpec, Cluster, Placement, View, Work } from '../../api/index.ts';
import { at, equal } from '../../base/index.ts';
import type { Action } from '../decision.ts';
import { bindingIdOf, worksKey } from '../match/index.ts';
import { interpreterOf } from '../interpret/index.ts';
import { isMovedGracefully, lastReportOf } from '../move/index.ts';
import { isKindGoing } from '../sight.ts';

/** All that the choice of clusters for one binding depends on. */
export interface ScheduleFacts {
  readonly binding: Binding;
  /** Every cluster of the fleet. The same array as long as no cluster changes: what is known of it is kept by identity. */
  readonly clusters: readonly Cluster[];
  /** Do taints drive out what runs? */
  readonly failover?: boolean;
  /** The definition of clusters is being deleted: that clusters go says nothing of what is wanted. */
  readonly isFleetGoing?: boolean;
  /** Do copies that leave a cluster stay there until they are replaced? */
  readonly graceful?: boolean;
  /** Replicas that were ready in a cluster when it was last heard of; it is asked only when copies leave clusters. */
  readonly lastReadyIn?: (cluster: string) => number;
  /** Clusters that keep their copy because dispatching there is suspended, with its replicas; asked like `lastReadyIn`. */
  readonly suspendedIn?: () => ReadonlyMap<string, number>;
  /** RFC 3339. */
  readonly now: string;
}

/** Gathers the facts; undefined when the binding does not exist. */
export function gatherSchedule(view: View, key: string): ScheduleFacts | undefined {
  const binding = view.get(key) as Binding | undefined;
  return binding && scheduleFacts(view, binding);
}

/** The facts for a binding that is about to be written, too. */
export function scheduleFacts(view: View, binding: Binding): ScheduleFacts {
  if (view.unreadable.size > 0) demandReadable(view, binding);
  const { clusters, gates, now } = view;
  const graceful = isMovedGracefully(gates, binding);
  const isFleetGoing = isKindGoing(view, 'Cluster');
  const facts = { binding, clusters, failover: gates.Failover, isFleetGoing, graceful, now };
  if (!graceful) return facts;
  return {
    ...facts,
    lastReadyIn: (cluster) => lastReady(view, binding, cluster),
    suspendedIn: () => suspendedCopies(view, binding),
  };
}

/** A suspended Work may say something else than its member has. */
function suspendedCopies(view: View, binding: Binding): ReadonlyMap<string, number> {
  const copies = new Map<string, number>();
  const interpreter = interpreterOf(view, binding.spec.resource);
  view.each(worksKey(bindingIdOf(binding) ?? ''), (work) => {
    const cluster = memberOfNamespace(work.metadata.namespace);
    if (cluster === undefined || !(work as Work).spec.suspendDispatching) return;
    const present = view.member(cluster, keyOf(binding.spec.resource));
    if (present === 'absent') return;
    const replicas =
      present === 'unknown' ? lastReportOf(work as Work).replicas : interpreter.replicas(present).value?.replicas;
    if (replicas !== undefined) copies.set(cluster, replicas);
  });
  return copies;
}

/** The member itself knows best; a status on the hub is older. */
function lastReady(view: View, binding: Binding, cluster: string): number {
  const present = view.member(cluster, keyOf(binding.spec.resource));
  if (present === 'absent') return 0;
  const count = typeof present === 'string' ? undefined : at(present, ['status', 'readyReplicas']);
  if (typeof count === 'number') return count;
  let ready = 0;
  view.each(worksKey(bindingIdOf(binding) ?? ''), (work) => {
    if (memberOfNamespace(work.metadata.namespace) === cluster) ({ ready } = lastReportOf(work as Work));
  });
  return ready;
}

/** A cluster that cannot be read has not left the fleet. */
function demandReadable(view: View, { spec }: Binding): void {
  for (const { name } of spec.clusters ?? []) view.get(keyOf({ apiVersion: clusterApi, kind: 'Cluster', name }));
}

/**
 * Can this change of a cluster change the choice for any binding? The heartbeat of a cluster does not; room in it
 * does only for bindings that ask for it, and those look again by themselves.
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

/** Are the replicas divided between the clusters? */
export function isDivided(placement: Placement): boolean {
  return strategyOf(placement) !== 'duplicated';
}

/** Are the replicas of the binding given out by the capacity of the clusters? */
export function dividesByCapacity(spec: BindingSpec): boolean {
  return isWorkload(spec) && strategyOf(spec.placement ?? {}) === 'byAvailability';
}

/** Does the binding stand for something with replicas? One that is scaled to 0 still does. */
export function isWorkload({ replicas, replicaRequirements }: BindingSpec): boolean {
  return replicas !== undefined || replicaRequirements !== undefined;
}

/**
 * Was a new choice asked for that has not been made yet? The request that was honoured last is written together with
 * its clusters; a binding without that record was scheduled by another, and is judged by time.
 */
export function isRescheduleAsked({ metadata, spec, status }: Binding): boolean {
  const { rescheduleTriggeredAt: asked } = spec;
  if (!asked || !status?.lastScheduledTime) return false;
  const honoured = metadata.annotations?.[rescheduledAnnotation];
  return honoured === undefined ? Date.parse(asked) >= Date.parse(status.lastScheduledTime) : asked !== honoured;
}
