import { bindingApi, bindingFamilyOf, bindingName, inEffectAnnotation, moveAnnotation } from '../../api/index.ts';
import type {
  Binding,
  BindingSpec,
  KubeObject,
  ObjectMeta,
  Policy,
  Suspension,
  TargetCluster,
  WorkloadAffinityGroups,
} from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import type { Interpreted, Interpreter } from '../interpret/index.ts';
import { isFingerprintOf } from './fingerprint.ts';
import { claimedBy, claimMetadata, inEffectOf, inEffectRecord } from './records.ts';

/** How much a template asks for, as its binding says it. */
export type BindingSize = Pick<BindingSpec, 'replicas' | 'replicaRequirements' | 'components'>;

/** How much the template asks for: components where its kind has them, or else replicas. */
export function sizeOf(interpreter: Interpreter, template: KubeObject): Interpreted<BindingSize> {
  const components = interpreter.components(template);
  if (components.error !== undefined) return { value: {}, error: components.error };
  if (components.value) return { value: { components: components.value } };
  const { value, error } = interpreter.replicas(template);
  if (error !== undefined) return { value: {}, error };
  if (!value) return { value: {} };
  const { replicas, requirements } = value;
  return { value: requirements ? { replicas, replicaRequirements: requirements } : { replicas } };
}

/** The parts from which a binding is made. */
export interface BindingSource {
  readonly template: KubeObject;
  readonly policy: Policy;
  /** The replicas or components of the template. */
  readonly size: BindingSize;
  /** The fingerprint of the template's content. */
  readonly content: string;
  readonly request?: string | undefined;
  /** The value of the PriorityClass that the policy names. */
  readonly priority?: number | undefined;
  /** Tells whether workloads have groups by which they are placed together or apart. */
  readonly grouped?: boolean;
  /** The name of the binding; the plain one when absent. */
  readonly name?: string;
  /** Where its Works are, when there was a binding that is gone. */
  readonly places?: readonly TargetCluster[];
}

/** The binding as the policy wants it now; what others wrote into the previous one is kept. */
export function bindingFor(source: BindingSource, previous: Binding | undefined): Binding {
  return {
    apiVersion: bindingApi,
    kind: bindingFamilyOf(source.template).kind,
    metadata: metadataFor(source, previous?.metadata, recordFor(source, previous)),
    spec: specFor(source, previous?.spec),
    ...(previous?.status && { status: previous.status }),
  };
}

/** The text of the record; the present one when it says the same, also by a fingerprint that an older release took. */
function recordFor({ template, policy, content, request }: BindingSource, previous: Binding | undefined): string {
  const record = inEffectRecord(policy, content, request);
  const present = previous?.metadata.annotations?.[inEffectAnnotation];
  const said = inEffectOf(previous);
  const isSame = said && isFingerprintOf(said.template, template) && equal({ ...said, template: content }, record);
  return present !== undefined && isSame ? present : JSON.stringify(record);
}

function metadataFor(source: BindingSource, previous: ObjectMeta | undefined, record: string): ObjectMeta {
  const { template, policy } = source;
  const family = bindingFamilyOf(template);
  const { namespace } = template.metadata;
  const claim = claimMetadata(policy);
  const id = previous?.labels?.[family.idLabel] ?? template.metadata.uid ?? '';
  return {
    ...previous,
    name: source.name ?? bindingName({ kind: template.kind, name: template.metadata.name }),
    ...(namespace && { namespace }),
    labels: claimedBy(previous?.labels, { ...claim.labels, [family.idLabel]: id }),
    annotations: movedAs(
      policy,
      claimedBy(previous?.annotations, { ...claim.annotations, [inEffectAnnotation]: record }),
    ),
    finalizers: withFinalizer(previous?.finalizers, family.finalizer),
    ...ownersFor(template, previous),
  };
}

/** The annotations of a binding with its policy's word on how copies leave a cluster; the same map when it is there. */
function movedAs({ metadata }: Policy, annotations: Record<string, string>): Record<string, string> {
  const wanted = metadata.annotations?.[moveAnnotation];
  if (annotations[moveAnnotation] === wanted) return annotations;
  const { [moveAnnotation]: _, ...others } = annotations;
  return wanted === undefined ? others : { ...others, [moveAnnotation]: wanted };
}

/** A template that is being deleted may be told to leave its binding behind: it does not become the owner again. */
function ownersFor(template: KubeObject, previous: ObjectMeta | undefined): Pick<ObjectMeta, 'ownerReferences'> {
  const leaving = template.metadata.deletionTimestamp !== undefined && previous !== undefined;
  return leaving ? {} : { ownerReferences: [ownerOf(template)] };
}

function withFinalizer(finalizers: readonly string[] | undefined, own: string): readonly string[] {
  if (!finalizers) return [own];
  return finalizers.includes(own) ? finalizers : [...finalizers, own];
}

/** The reference by which a template owns its binding. */
export function ownerOf(template: KubeObject): NonNullable<ObjectMeta['ownerReferences']>[number] {
  const { apiVersion, kind, metadata } = template;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true };
}

/** Fields of the binding that are the scheduler's, the evictor's and the dependents', not the policy's. */
const keptFields = ['clusters', 'requiredBy', 'gracefulEvictionTasks', 'rescheduleTriggeredAt'] as const;

function specFor(source: BindingSource, previous: BindingSpec | undefined): BindingSpec {
  const { template, policy, places, size, priority, grouped } = source;
  const suspension = suspensionFor(policy.spec.suspension, previous?.suspension);
  const workloadAffinityGroups = grouped ? groupsOf(template, policy) : undefined;
  const spec: Record<string, unknown> = {
    resource: referenceTo(template),
    ...size,
    ...fromPolicy(policy),
    ...(priority !== undefined && { schedulePriority: { priority } }),
    ...(workloadAffinityGroups && { workloadAffinityGroups }),
    ...(suspension && { suspension }),
  };
  return { ...spec, ...keptOf(previous, places) } as unknown as BindingSpec;
}

/** The groups of a namespaced template, by its labels; a label that it lacks makes no group. */
function groupsOf({ metadata }: KubeObject, { spec }: Policy): WorkloadAffinityGroups | undefined {
  const { affinity, antiAffinity } = spec.placement?.workloadAffinity ?? {};
  const groupBy = (key: string | undefined): string | undefined => {
    const value = key === undefined ? undefined : metadata.labels?.[key];
    return value === undefined ? undefined : `${key}=${value}`;
  };
  const [affinityGroup, antiAffinityGroup] = [
    groupBy(affinity?.groupByLabelKey),
    groupBy(antiAffinity?.groupByLabelKey),
  ];
  if (!metadata.namespace || !(affinityGroup ?? antiAffinityGroup)) return undefined;
  return { ...(affinityGroup && { affinityGroup }), ...(antiAffinityGroup && { antiAffinityGroup }) };
}

function keptOf(previous: BindingSpec | undefined, places: readonly TargetCluster[] | undefined): Partial<BindingSpec> {
  if (!previous) return places?.length ? { clusters: places } : {};
  const kept: Record<string, unknown> = {};
  for (const field of keptFields) if (previous[field] !== undefined) kept[field] = previous[field];
  return kept;
}

function fromPolicy({ spec }: Policy): Partial<BindingSpec> {
  return {
    placement: spec.placement ?? {},
    schedulerName: spec.schedulerName ?? 'default-scheduler',
    conflictResolution: spec.conflictResolution ?? 'Abort',
    ...(spec.propagateDeps && { propagateDeps: true }),
    ...(spec.failover && { failover: spec.failover }),
    ...(spec.preserveResourcesOnDeletion !== undefined && {
      preserveResourcesOnDeletion: spec.preserveResourcesOnDeletion,
    }),
  };
}

/** The object that a binding stands for. */
export function referenceTo({ apiVersion, kind, metadata }: KubeObject): BindingSpec['resource'] {
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    ...(namespace && { namespace }),
    name,
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  };
}

/** The policy's suspension with the scheduling part that belongs to the binding alone. */
function suspensionFor(policy: Suspension | undefined, previous: BindingSpec['suspension']): BindingSpec['suspension'] {
  const scheduling = previous?.scheduling;
  const own = policy && Object.keys(policy).length > 0 ? policy : undefined;
  if (scheduling === undefined) return own;
  return { ...own, scheduling };
}

/**
 * The previous binding with the parts that never wait: the managing policy and its suspension. Changing when things are
 * sent is safe at any time; everything else of a lazy policy waits.
 */
export function withPolicySuspension(policy: Policy, previous: Binding): Binding {
  const claim = claimMetadata(policy);
  const { metadata } = previous;
  return {
    ...suspendedBy(policy, previous),
    metadata: {
      ...metadata,
      labels: claimedBy(metadata.labels, claim.labels),
      annotations: claimedBy(metadata.annotations, claim.annotations),
    },
  };
}

/** The binding with the suspension of this policy. */
export function suspendedBy(policy: Policy, binding: Binding): Binding {
  const { suspension: previous, ...spec } = binding.spec;
  const suspension = suspensionFor(policy.spec.suspension, previous);
  return { ...binding, spec: suspension ? { ...spec, suspension } : spec };
}

/**
 * Tells whether writing `wanted` over `present` would change anything. The resourceVersion of the template is a note,
 * not content.
 */
export function sameBinding(wanted: Binding, present: Binding): boolean {
  return (
    equal(wanted.metadata.labels, present.metadata.labels) &&
    equal(wanted.metadata.annotations, present.metadata.annotations) &&
    equal(wanted.metadata.finalizers, present.metadata.finalizers) &&
    equal(wanted.metadata.ownerReferences, present.metadata.ownerReferences) &&
    sameSpec(wanted.spec, present.spec)
  );
}

type Fields = Readonly<Record<string, unknown>>;

function sameSpec(wanted: BindingSpec, present: BindingSpec): boolean {
  const { resource: a } = wanted;
  const { resource: b } = present;
  if (a.uid !== b.uid || a.name !== b.name || a.apiVersion !== b.apiVersion) return false;
  return sameRest(wanted as unknown as Fields, present as unknown as Fields);
}

/** Tells whether all fields but the reference to the template are the same. */
function sameRest(a: Fields, b: Fields): boolean {
  for (const field in a) if (field !== 'resource' && !equal(a[field], b[field])) return false;
  for (const field in b) if (a[field] === undefined && b[field] !== undefined) return false;
  return true;
}

/**
 * Tells whether the policy asks for something that the binding does not have. Used to tell "pending" from "up to date".
 */
export function differsInContent(wanted: Binding, present: Binding): boolean {
  return !sameSpec(wanted.spec, present.spec);
}
