import { bindingApi, bindingFamilyOf, dependedByPrefix, referenceKey } from '../../api/index.ts';
import type { Binding, BindingSnapshot, BindingSpec, ObjectMeta, TargetCluster, View } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { ownerOf, referenceTo } from '../claim/index.ts';
import { suspends, referrerOf } from '../suspension/index.ts';
import { bindingIdOf } from '../match/index.ts';
import { isPurgedFirst, keepsCopyOn } from '../move/index.ts';
import { existingClusters } from '../render/targets.ts';
import type { Dependency, DependencyFacts } from './facts.ts';

/** The entry for a referrer in the bindings of its dependencies. */
function snapshotOf(
  facts: DependencyFacts,
  previous: Binding | undefined,
  need?: Dependency,
): BindingSnapshot | undefined {
  const { namespace, name } = facts.binding.metadata;
  const clusters = clustersFor(facts, previous, need);
  if (!need && clusters.length === 0) return undefined;
  return { ...(namespace && { namespace }), name, clusters };
}

/**
 * Where a dependency is needed: in the clusters of its referrer. Where an old copy of that stays until it is replaced, or
 * the referrer is suspended, what runs there keeps what it was given, and gets nothing that it never had.
 */
function clustersFor(
  facts: DependencyFacts,
  previous: Binding | undefined,
  need: Dependency | undefined,
): readonly TargetCluster[] {
  const wanted = need ? (facts.binding.spec.clusters ?? []) : [];
  const snapshot = previous?.spec.requiredBy?.find((one) => isSnapshotOf(one, facts.binding));
  const before = [...(snapshot?.clusters ?? []), ...(need ? oldCopiesWith(facts.binding, need, snapshot) : [])];
  const isKept = (name: string): boolean => suspends(facts.suspensions, name) || keepsCopyOn(facts.binding, name);
  const isNew = ({ name }: TargetCluster, i: number): boolean =>
    !wanted.some((target) => target.name === name) && before.findIndex((target) => target.name === name) === i;
  const kept = before.filter((target, i) => isKept(target.name) && isNew(target, i));
  return kept.length > 0 ? [...wanted, ...kept] : wanted;
}

/**
 * The old copies that have the dependency. One that ran without it gets nothing new on its way out: what the member has
 * under that name may be its own, and would be overwritten now and deleted when the move ends. A dependency that was needed
 * before and lost its binding, because it was deleted and made again, comes back.
 */
function oldCopiesWith(
  { spec }: Binding,
  { isKnown, binding: previous }: Dependency,
  snapshot: BindingSnapshot | undefined,
): readonly TargetCluster[] {
  const tasks = spec.gracefulEvictionTasks?.filter((task) => !isPurgedFirst(task)) ?? [];
  const there = previous && existingClusters(previous);
  const had = (cluster: string): boolean => (isKnown && !snapshot) || there?.has(cluster) === true;
  return tasks.flatMap(({ fromCluster: name }) => (had(name) ? { name } : []));
}

function isSnapshotOf(snapshot: BindingSnapshot, binding: Binding): boolean {
  return snapshot.name === binding.metadata.name && snapshot.namespace === binding.metadata.namespace;
}

/** Tells whether this referrer needs the dependency, or keeps it because of a suspension. */
export function isNeededBy({ spec }: Binding, referrer: Binding): boolean {
  return spec.requiredBy?.some((snapshot) => isSnapshotOf(snapshot, referrer)) === true;
}

/** The binding of a dependency with this referrer in it; what others wrote is kept. */
export function attachedBinding(facts: DependencyFacts, dependency: Dependency): Binding {
  const { object, binding: previous } = dependency;
  const snapshot = snapshotOf(facts, previous, dependency);
  const requiredBy = withSnapshot(previous?.spec.requiredBy, facts.binding, snapshot);
  const resource = previous?.spec.resource ?? referenceTo(object);
  return {
    ...previous,
    apiVersion: bindingApi,
    kind: bindingFamilyOf(object).kind,
    metadata: attachedMetadata(facts.binding, dependency),
    spec: agreed(facts, { ...previous?.spec, resource, requiredBy }),
  };
}

function attachedMetadata(referrer: Binding, { object, binding, name }: Dependency): ObjectMeta {
  const previous = binding?.metadata;
  const family = bindingFamilyOf(object);
  const { namespace, uid = '' } = object.metadata;
  const label = dependedByPrefix + referenceKey(referrer.metadata);
  return {
    ...previous,
    name,
    ...(namespace && { namespace }),
    labels: { [family.idLabel]: uid, ...previous?.labels, [label]: bindingIdOf(referrer) ?? '' },
    finalizers: previous?.finalizers ?? [family.finalizer],
    ownerReferences: [ownerOf(object)],
  };
}

/** The binding of a dependency without this referrer, or with only the clusters where a suspension keeps it. */
export function detachedBinding(facts: DependencyFacts, previous: Binding): Binding {
  const snapshot = facts.binding.metadata.deletionTimestamp ? undefined : snapshotOf(facts, previous);
  const label = dependedByPrefix + referenceKey(facts.binding.metadata);
  const { [label]: _, ...labels } = previous.metadata.labels ?? {};
  return {
    ...previous,
    metadata: { ...previous.metadata, labels: snapshot ? (previous.metadata.labels ?? {}) : labels },
    spec: agreed(facts, {
      ...previous.spec,
      requiredBy: withSnapshot(previous.spec.requiredBy, facts.binding, snapshot),
    }),
  };
}

function withSnapshot(
  list: readonly BindingSnapshot[] | undefined,
  referrer: Binding,
  snapshot: BindingSnapshot | undefined,
): readonly BindingSnapshot[] {
  const others = (list ?? []).filter((other) => !isSnapshotOf(other, referrer));
  const all = snapshot ? [...others, snapshot] : others;
  return all.sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1));
}

/** A pure dependency takes the stricter of what its referrers say; one with a policy of its own keeps that. */
function agreed(facts: DependencyFacts, spec: BindingSpec): BindingSpec {
  if (spec.placement) return spec;
  const referrers = (spec.requiredBy ?? []).map((snapshot) =>
    isSnapshotOf(snapshot, facts.binding) ? facts.binding : facts.referrers.get(referenceKey(snapshot)),
  );
  const overwrite = referrers.some((referrer) => referrer?.spec.conflictResolution === 'Overwrite');
  const preserve = referrers.flatMap((referrer) => referrer?.spec.preserveResourcesOnDeletion ?? []);
  const { preserveResourcesOnDeletion: _, ...rest } = spec;
  return {
    ...rest,
    conflictResolution: overwrite ? 'Overwrite' : 'Abort',
    ...(preserve.length > 0 && { preserveResourcesOnDeletion: preserve.includes(true) }),
  };
}

/** The settings on which the referrers of a dependency disagree, in Karmada's words, and the value that counts. */
export function disagreementsOf(view: View, { spec }: Binding): readonly string[] {
  if (spec.placement) return [];
  const referrers = (spec.requiredBy ?? [])
    .map((snapshot) => referrerOf(view, snapshot)?.spec)
    .filter((own) => own !== undefined);
  const differ = (read: (own: BindingSpec) => unknown): boolean => new Set(referrers.map(read)).size > 1;
  return [
    ...(differ((own) => own.conflictResolution ?? 'Abort') ? [resolutionConflict] : []),
    ...(differ((own) => own.preserveResourcesOnDeletion === true) ? [preservationConflict] : []),
  ];
}

const resolutionConflict = 'ConflictResolution conflicted (Overwrite vs Abort), Overwrite counts';
const preservationConflict = 'PreserveResourcesOnDeletion conflicted (true vs false), true counts';

/** Tells whether writing `wanted` would change anything. */
export function sameAttached(wanted: Binding, present: Binding): boolean {
  return equal(wanted.spec, present.spec) && equal(wanted.metadata.labels, present.metadata.labels);
}
