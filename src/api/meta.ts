/** metadata.ownerReferences[] */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The metadata that every object carries. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly generateName?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly unknown[];
}

/** Any Kubernetes object. Parts beyond these are reached through a narrower type. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** A KubeObject whose spec and status have been given types. */
export interface Resource<Spec, Status = unknown> extends KubeObject {
  readonly spec: Spec;
  readonly status?: Status;
}

/** metav1.Condition */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** Names a kind. */
export interface KindRef {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Names one object; `namespace` is absent for cluster-scoped ones. */
export interface Ref {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** The reference of an object. */
export function refOf(object: KubeObject): Ref {
  const { name, namespace } = object.metadata;
  const { apiVersion, kind } = object;
  return namespace ? { apiVersion, kind, namespace, name } : { apiVersion, kind, name };
}

/** One string per object, for maps and queues: `apps/v1|Deployment|ns|name`. */
export function keyOf(ref: Ref): string {
  return `${ref.apiVersion}|${ref.kind}|${ref.namespace ?? ''}|${ref.name}`;
}

/** The group of an apiVersion; '' for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
