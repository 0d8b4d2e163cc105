import { remembering } from '../base/index.ts';

/** Labels, annotations and finalizers that scripts written for Karmada rely on, and our own under `sluice.dev`. */

/** On an object in a member that the hub manages. */
export const managedLabel = 'karmada.io/managed';
/** On a namespace that belongs to the control plane. */
export const systemLabel = 'karmada.io/system';
/** On a template that another controller has claimed for itself. */
export const claimedByLabel = 'resourcetemplate.karmada.io/claimed-by';
/** On a template whose members keep their own number of replicas. */
export const retainReplicasLabel = 'resourcetemplate.karmada.io/retain-replicas';
/** On an object of the hub that must not be deleted. */
export const deletionProtectedLabel = 'resourcetemplate.karmada.io/deletion-protected';
/** On a namespace that members do not get. */
export const skipAutoPropagationLabel = 'namespace.karmada.io/skip-auto-propagation';
/** On a Work: its permanent id. */
export const workIdLabel = 'work.karmada.io/permanent-id';
export const quotaNamespaceLabel = 'federatedresourcequota.karmada.io/namespace';
export const quotaNameLabel = 'federatedresourcequota.karmada.io/name';
/** Followed by the reference key of the referring binding. */
export const dependedByPrefix = 'resourcebinding.karmada.io/depended-by-';

/** On a template or namespace: what happens to an unmanaged object of this name in a member. */
export const conflictResolutionAnnotation = 'work.karmada.io/conflict-resolution';
/** On a binding: the placement by which its clusters were chosen. */
export const appliedPlacementAnnotation = 'policy.karmada.io/applied-placement';
/** On a binding: the dependencies of the workload. */
export const dependenciesAnnotation = 'resourcebinding.karmada.io/dependencies';
/** On a Work: the rules of OverridePolicies in its manifest. */
export const appliedOverridesAnnotation = 'policy.karmada.io/applied-overrides';
/** On a Work: the rules of ClusterOverridePolicies in its manifest. */
export const appliedClusterOverridesAnnotation = 'policy.karmada.io/applied-cluster-overrides';
/** On a manifest: the uid of its template. */
export const templateUidAnnotation = 'resourcetemplate.karmada.io/uid';
/** On a manifest: the generation of its template. */
export const templateGenerationAnnotation = 'resourcetemplate.karmada.io/generation';
/** On a manifest: the labels that come from the template. */
export const managedLabelsAnnotation = 'resourcetemplate.karmada.io/managed-labels';
/** On a manifest: the annotations that come from the template. */
export const managedAnnotationsAnnotation = 'resourcetemplate.karmada.io/managed-annotations';
/** On an object in a member: the name of its Work. */
export const workNameAnnotation = 'work.karmada.io/name';
/** On an object in a member: the namespace of its Work. */
export const workNamespaceAnnotation = 'work.karmada.io/namespace';

/** Keeps a Work until its object in the member is deleted. */
export const workFinalizer = 'karmada.io/execution-controller';
/** Keeps a Cluster until its Works are deleted. */
export const clusterFinalizer = 'karmada.io/cluster-controller';
/** Keeps a binding until its dependencies are released. */
export const dependenciesFinalizer = 'karmada.io/binding-dependencies-distributor';

/** On a binding: what it reflects (policy, generation, template fingerprint, request), as JSON. */
export const inEffectAnnotation = 'sluice.dev/in-effect';
/** On a binding, or on the Work of a namespace that all members have: the overrides in effect, and since which content. */
export const overridesAnnotation = 'sluice.dev/overrides';
/** On a binding: the affinity group by which its clusters were chosen. */
export const affinityGroupAnnotation = 'sluice.dev/affinity-group';
/** On a template: the propagated autoscaler because of which members keep their replicas. */
export const scaledByAnnotation = 'sluice.dev/scaled-by';
/** On a Work: the labels with the state that the workload had in the cluster that it left, as JSON. */
export const preservedStateAnnotation = 'sluice.dev/preserved-state';
/** On a binding: the spec.rescheduleTriggeredAt that was honoured last. */
export const rescheduledAnnotation = 'sluice.dev/rescheduled';
/** On a template: the fingerprint at which its claim waits, because a lazy policy arrived after that content. */
export const waitsAtAnnotation = 'sluice.dev/waits-at';
/** On a template: a request to take up what is pending; the binding records the last one that was honoured. */
export const reconcileAnnotation = 'sluice.dev/reconcile';
/** On a Work whose cluster the placement no longer names, while a suspension delays its removal. */
export const suspendedRemovalAnnotation = 'sluice.dev/removal-held';
/** On a policy, `immediate`: a placement change removes old copies at once. A binding carries it from its policy. */
export const moveAnnotation = 'sluice.dev/move';
/** When what a Work is to bring to its member was last changed; absent while it is as it was created. */
export const changedAtAnnotation = 'sluice.dev/changed-at';

/** On a Work of a Pull member that is being deleted, `wanted`: its agent removes the object. Without it the object stays. */
export const removalAnnotation = 'sluice.dev/removal';

/** By this header a caller who reads many objects says what it has no use for; its values stand between commas. */
export const withoutHeader = 'x-sluice-without';
/** Managed fields name the writer and the time, but not the fields. */
export const fieldSets = 'fieldsV1';
/** Works do not tell what their members report. */
export const memberReports = 'status.manifestStatuses';

/** The namespace for the Works of a member has this prefix before the member's name. */
export const executionNamespacePrefix = 'karmada-es-';
const reserved: ReadonlySet<string> = new Set(['karmada-system', 'karmada-cluster', 'sluice-system']);

/**
 * Tells whether a namespace belongs to a control plane, Sluice's or Kubernetes', so that nothing in it is propagated.
 */
export function isSystemNamespace(namespace: string | undefined): boolean {
  if (namespace === undefined) return false;
  return namespace.startsWith('kube-') || namespace.startsWith(executionNamespacePrefix) || reserved.has(namespace);
}

/** Tells whether a label or annotation key belongs to the system, so that a user's change of it does not count. */
export const isSystemKey: (key: string) => boolean = remembering(hasSystemPrefix);

function hasSystemPrefix(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return false;
  const prefix = key.slice(0, slash);
  return (
    prefix === 'karmada.io' ||
    prefix === 'sluice.dev' ||
    prefix.endsWith('.karmada.io') ||
    prefix.endsWith('.sluice.dev')
  );
}
