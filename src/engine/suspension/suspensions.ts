import type { Binding, BindingSnapshot, KubeObject, Ref, RolloutPolicy, Suspension, View } from '../../api/index.ts';
import { claimantOf, claimOf, inEffectOf, templateOf } from '../claim/index.ts';
import { eachRolloutNear, matchSelectors, reaches } from '../match/index.ts';
import { keepsCopyOn } from '../move/index.ts';
import { needsOf, needs, referrerOf } from './needs.ts';

/** The clusters that a suspension names. */
export type Clusters = 'all' | readonly string[];

/** An active suspension: on which clusters, by which object, and what its owner says about it. */
export interface ActiveSuspension {
  readonly by: string;
  readonly clusters: Clusters;
  readonly reason?: string;
  readonly owner?: string;
  readonly until?: string;
}

/** Both spellings of a suspension, read in one place; undefined when it suspends nothing. */
export function suspendedClusters(suspension: Suspension | undefined): Clusters | undefined {
  if (!suspension) return undefined;
  if (suspension.suspendDispatching || suspension.dispatching) return 'all';
  const some = [
    ...(suspension.suspendDispatchingOnClusters?.clusterNames ?? []),
    ...(suspension.dispatchingOnClusters?.clusterNames ?? []),
  ];
  return some.length > 0 ? some : undefined;
}

/** Tells whether one of the suspensions covers this cluster. */
export function suspends(all: readonly ActiveSuspension[], cluster: string): boolean {
  return all.some(({ clusters }) => clusters === 'all' || clusters.includes(cluster));
}

const nothing: readonly ActiveSuspension[] = [];

/**
 * The suspensions by the policy of a binding. A suspension never waits, so it counts from the moment it is written; one
 * that is removed counts until the binding says so too.
 */
export function policySuspensions(view: View, binding: Binding): readonly ActiveSuspension[] {
  const claim = claimOf(binding);
  const { suspension } = binding.spec;
  const written = claim && claimantOf(view, claim)?.spec.suspension;
  const clusters = either(suspendedClusters(suspension), suspendedClusters(written));
  return clusters ? [{ by: policyNameOf(binding), clusters }] : nothing;
}

function either(a: Clusters | undefined, b: Clusters | undefined): Clusters | undefined {
  if (!a || !b) return a ?? b;
  return a === 'all' || b === 'all' ? 'all' : [...new Set([...a, ...b])];
}

function policyNameOf(binding: Binding): string {
  const claim = claimOf(binding);
  if (claim) return spelt(claim.family.kind, claim);
  const policy = inEffectOf(binding)?.policy;
  return policy ? spelt(policy.kind, policy) : 'ResourceBinding';
}

/** `PropagationPolicy/shop/web`, `ClusterRolloutPolicy/freeze`. */
function spelt(kind: string, { namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return `${kind}/${namespace ? `${namespace}/` : ''}${name}`;
}

/**
 * The suspensions that rollout policies of both scopes put on a single object; one whose time is over suspends nothing.
 */
export function rolloutSuspensions(view: View, template: KubeObject): readonly ActiveSuspension[] {
  let found: ActiveSuspension[] | undefined;
  eachRolloutNear(view, template, (rollout) => {
    const active = suspensionBy(rollout, template, view.now);
    if (active) (found ??= []).push(active);
  });
  return found ?? nothing;
}

function suspensionBy(rollout: RolloutPolicy, template: KubeObject, now: string): ActiveSuspension | undefined {
  const { suspension, resourceSelectors, reason, owner, until } = rollout.spec;
  const clusters = suspendedClusters(suspension);
  if (!clusters || rollout.metadata.deletionTimestamp || isOver(until, now)) return undefined;
  if (!reaches(rollout, template) || !matchSelectors(resourceSelectors, template).matches) return undefined;
  const by = spelt(rollout.kind, rollout.metadata);
  return { by, clusters, ...(reason && { reason }), ...(owner && { owner }), ...(until && { until }) };
}

function isOver(until: string | undefined, now: string): boolean {
  return until !== undefined && Date.parse(until) <= Date.parse(now);
}

/** The suspensions of a workload: those of its policy, and of rollout policies that name it. */
export function workloadSuspensions(view: View, binding: Binding): readonly ActiveSuspension[] {
  const template = templateOf(view, binding);
  return [...policySuspensions(view, binding), ...(template ? rolloutSuspensions(view, template) : nothing)];
}

/**
 * A cause for which an object is placed on clusters: its own policy, or a referrer; with the suspensions of that one.
 */
export interface PlacedBy {
  readonly clusters: ReadonlySet<string>;
  readonly suspensions: readonly ActiveSuspension[];
  /** A workload: its dependencies stay on a cluster that it leaves while it is suspended there. */
  readonly isReferrer?: boolean;
  /**
   * Clusters where the object is still attached, but no longer needed, and no suspension keeps it: it is about to be
   * detached.
   */
  readonly leaving?: ReadonlySet<string>;
  /** Where the workload is no longer wanted, and an old copy of it stays until it is replaced. */
  readonly old?: ReadonlySet<string>;
}

/** All that says whether sending an object to a cluster must wait. */
export interface Suspensions {
  /** Suspensions of the object itself: they count for every cause. */
  readonly own: readonly ActiveSuspension[];
  readonly placedBy: readonly PlacedBy[];
}

/** Gathers the suspensions of a template and its binding: its own policy's, its referrers', and rollout policies'. */
export function suspensionsOf(view: View, binding: Binding | undefined, template: KubeObject | undefined): Suspensions {
  const placedBy: PlacedBy[] = [];
  if (binding?.spec.placement)
    placedBy.push({ clusters: clustersOf(binding.spec), suspensions: policySuspensions(view, binding) });
  for (const snapshot of binding?.spec.requiredBy ?? [])
    if (binding) placedBy.push(referrer(view, snapshot, binding.spec.resource));
  return { own: template ? rolloutSuspensions(view, template) : nothing, placedBy };
}

function referrer(view: View, snapshot: BindingSnapshot, resource: Ref): PlacedBy {
  const binding = referrerOf(view, snapshot);
  const clusters = clustersOf(snapshot);
  const isReferrer = true;
  if (!binding) return { clusters, suspensions: nothing, isReferrer };
  const all = workloadSuspensions(view, binding);
  const workload = { binding, needed: needsOf(view, binding) };
  const leaving = new Set([...clusters].filter((name) => !suspends(all, name) && !needs(workload, resource, name)));
  const old = new Set([...clusters].filter((name) => isOldOn(binding, name)));
  const cause: PlacedBy = { clusters, suspensions: all, isReferrer, ...(old.size > 0 && { old }) };
  if (leaving.size === 0) return cause;
  return { ...cause, clusters: new Set([...clusters].filter((name) => !leaving.has(name))), leaving };
}

function isOldOn(binding: Binding, cluster: string): boolean {
  return keepsCopyOn(binding, cluster) && !binding.spec.clusters?.some(({ name }) => name === cluster);
}

function clustersOf({ clusters }: Pick<BindingSnapshot, 'clusters'>): ReadonlySet<string> {
  return new Set(clusters?.map((target) => target.name));
}

/** Tells whether any suspension exists. */
export function isSuspendedSomewhere({ own, placedBy }: Suspensions): boolean {
  return own.length > 0 || placedBy.some((cause) => cause.suspensions.length > 0);
}

/**
 * Tells whether sending to this cluster must wait. A dependency waits while every referrer that needs it there does; an
 * old copy that stays until it is replaced does not lift a suspension by others. A cluster where no referrer needs it
 * any more waits while its own policy suspends it, so that a removal does not slip through a suspension.
 */
export function isSuspendedOn({ own, placedBy }: Suspensions, cluster: string): boolean {
  if (suspends(own, cluster)) return true;
  const needing = placedBy.filter((cause) => cause.clusters.has(cluster));
  if (needing.length === 0) return placedBy.some((cause) => !cause.isReferrer && suspends(cause.suspensions, cluster));
  const staying = needing.filter(({ old }) => !old?.has(cluster));
  return (staying.length > 0 ? staying : needing).every((cause) => suspends(cause.suspensions, cluster));
}

/**
 * Tells whether no referrer needs it on this cluster any more, while the binding does not say so yet. Until then
 * nothing is sent there.
 */
export function isLeaving({ placedBy }: Suspensions, cluster: string): boolean {
  return (
    placedBy.some(({ leaving }) => leaving?.has(cluster)) && placedBy.every(({ clusters }) => !clusters.has(cluster))
  );
}

/** Tells whether only old copies of workloads, which stay until they are replaced, need it on this cluster. */
export function isForOldCopies({ placedBy }: Suspensions, cluster: string): boolean {
  const needing = placedBy.filter(({ clusters }) => clusters.has(cluster));
  return needing.length > 0 && needing.every(({ old }) => old?.has(cluster) === true);
}

/** Every suspension that touches this cluster, for people. */
export function suspensionsOn({ own, placedBy }: Suspensions, cluster: string): readonly ActiveSuspension[] {
  const all = [...own, ...placedBy.flatMap((cause) => cause.suspensions)];
  return all.filter(({ clusters }) => clusters === 'all' || clusters.includes(cluster));
}
