import { clusterApi, keyOf, memberOfNamespace, refOf } from '../../api/index.ts';
import type { Binding, TargetCluster, View, Work } from '../../api/index.ts';
import { at, isObject } from '../../base/index.ts';
import { interpreterOf } from '../interpret/index.ts';
import { affinityGroupKey, antiAffinityGroupKey, bindingIdOf, quotasInKey, worksKey } from '../match/index.ts';
import { isMovedGracefully, lastReportOf } from '../move/index.ts';
import { isKindGoing } from '../sight.ts';
import { exceeds, excessText } from '../quota/index.ts';
import { notOurs, whyFrozen } from './due.ts';
import type { Neighbours, QuotaReport, ScheduleFacts } from './facts.ts';
import { outcomeOf } from './outcome.ts';

/** Gathers the facts; undefined when the binding does not exist. */
export function gatherSchedule(view: View, key: string): ScheduleFacts | undefined {
  const binding = view.get(key) as Binding | undefined;
  return binding && scheduleFacts(view, binding);
}

/** The facts for a binding that is about to be written, too. */
export function scheduleFacts(view: View, binding: Binding): ScheduleFacts {
  if (view.unreadable.size > 0) demandReadable(view, binding);
  return factsOf(view, binding, new Map());
}

/** A cluster that cannot be read has not left the fleet. */
function demandReadable(view: View, { spec }: Binding): void {
  for (const { name } of spec.clusters ?? []) view.get(keyOf({ apiVersion: clusterApi, kind: 'Cluster', name }));
}

/** The places of bindings by key; an empty list where a binding finds none. */
type Places = Map<string, readonly TargetCluster[]>;

function factsOf(view: View, binding: Binding, known: Places): ScheduleFacts {
  const { clusters, gates, now } = view;
  const graceful = isMovedGracefully(gates, binding);
  const neighbours = gates.WorkloadAffinity ? neighboursOf(view, binding, known) : undefined;
  const isFleetGoing = isKindGoing(view, 'Cluster');
  const excess = gates.FederatedQuotaEnforcement ? (wanted: Binding) => excessIn(view, wanted) : undefined;
  const reportedQuotas = gates.ResourceQuotaEstimate ? quotasReportedIn(view, binding) : undefined;
  const facts = {
    binding,
    clusters,
    failover: gates.Failover,
    isFleetGoing,
    graceful,
    gates,
    neighbours,
    excess,
    reportedQuotas,
    now,
  };
  if (!graceful) return facts;
  return {
    ...facts,
    lastReadyIn: (cluster) => lastReady(view, binding, cluster),
    suspendedIn: () => suspendedCopies(view, binding),
  };
}

/** ResourceQuotas that were placed like any template, as the clusters report them. */
function quotasReportedIn(view: View, { metadata }: Binding): (cluster: string) => readonly QuotaReport[] {
  const reports = new Map<string, QuotaReport[]>();
  view.each(quotasInKey(metadata.namespace ?? ''), (quota) => {
    for (const { clusterName, status } of (quota as Binding).status?.aggregatedStatus ?? []) {
      const [hard, used] = [at(status, ['hard']), at(status, ['used'])];
      if (!isObject(hard)) continue;
      reports.set(clusterName, [...(reports.get(clusterName) ?? []), { hard, used: isObject(used) ? used : {} }]);
    }
  });
  return (cluster) => reports.get(cluster) ?? [];
}

function excessIn(view: View, wanted: Binding): string | undefined {
  const present = view.get(keyOf(refOf(wanted))) as Binding | undefined;
  return excessText(exceeds(view, wanted, present));
}

/** A suspended Work may say something else than its member has. One that is being deleted keeps no copy. */
function suspendedCopies(view: View, binding: Binding): ReadonlyMap<string, number> {
  const copies = new Map<string, number>();
  const interpreter = interpreterOf(view, binding.spec.resource);
  view.each(worksKey(bindingIdOf(binding) ?? ''), (work) => {
    const cluster = memberOfNamespace(work.metadata.namespace);
    if (cluster === undefined || work.metadata.deletionTimestamp || !(work as Work).spec.suspendDispatching) return;
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

const namesOf = (places: readonly TargetCluster[]): readonly string[] => places.map(({ name }) => name);

function neighboursOf(view: View, binding: Binding, known: Places): Neighbours | undefined {
  const { affinityGroup, antiAffinityGroup } = binding.spec.workloadAffinityGroups ?? {};
  const { namespace = '' } = binding.metadata;
  if (affinityGroup === undefined && antiAffinityGroup === undefined) return undefined;
  const placesIn = (key: string | undefined): readonly (readonly TargetCluster[])[] =>
    key === undefined ? [] : placesOf(view, { binding, key, known });
  const together = placesIn(affinityGroup && affinityGroupKey(namespace, affinityGroup));
  const apart = placesIn(antiAffinityGroup && antiAffinityGroupKey(namespace, antiAffinityGroup));
  return {
    together: together.filter((places) => places.length > 0).map((places) => new Set(namesOf(places))),
    apart: new Set(apart.flatMap(namesOf)),
  };
}

interface Group {
  readonly binding: Binding;
  readonly key: string;
  readonly known: Places;
}

/**
 * The places of the other bindings of a group. A binding without clusters that goes before this one counts as placed where
 * it will be, so that those that wait together are placed in one order, whichever is asked about first.
 */
function placesOf(view: View, { binding, key, known }: Group): readonly (readonly TargetCluster[])[] {
  const others: Binding[] = [];
  view.each(key, (found, at) => {
    const other = (view.assumed?.(at) ?? found) as Binding;
    if (other.metadata.name !== binding.metadata.name && !other.metadata.deletionTimestamp) others.push(other);
  });
  return others.map((other) => {
    if (other.spec.clusters?.length) return other.spec.clusters;
    return goesBefore(other, binding) ? expected(view, other, known) : [];
  });
}

/** The order of bindings that wait: by priority, then by age, then by name. */
function goesBefore(a: Binding, b: Binding): boolean {
  const [urgency, other] = [priorityIn(a), priorityIn(b)];
  if (urgency !== other) return urgency > other;
  const [since, later] = [createdAt(a), createdAt(b)];
  return since === later ? a.metadata.name < b.metadata.name : since < later;
}

/** The priority of a binding in the queue of the scheduler. */
export function priorityIn({ spec }: Binding): number {
  return spec.schedulePriority?.priority ?? 0;
}

/** A binding that is not written yet is the youngest. */
const createdAt = ({ metadata }: Binding): string => metadata.creationTimestamp ?? '~';

function expected(view: View, binding: Binding, known: Places): readonly TargetCluster[] {
  const key = keyOf(refOf(binding));
  const found = known.get(key);
  if (found) return found;
  known.set(key, []);
  const { placement } = binding.spec;
  if (!placement || notOurs(binding) || whyFrozen(binding)) return [];
  const outcome = outcomeOf(factsOf(view, binding, known), placement);
  const targets = 'because' in outcome ? [] : outcome.targets;
  known.set(key, targets);
  return targets;
}
