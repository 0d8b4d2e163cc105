import type { KubeObject, Ref } from './meta.ts';
import type { OverridePolicy } from './override.ts';
import type { Policy, RolloutPolicy } from './policy.ts';

/** Namespaced and cluster-wide kinds come in pairs that differ by data alone: this data. */
export type Scope = 'namespace' | 'cluster';

/** The two propagation policies. */
export interface PolicyFamily {
  readonly scope: Scope;
  readonly kind: Policy['kind'];
  readonly plural: string;
  readonly finalizer: string;
  readonly idLabel: string;
  readonly nameAnnotation: string;
  /** Only the namespaced one has it. */
  readonly namespaceAnnotation?: string;
}

/** The two bindings. */
export interface BindingFamily {
  readonly scope: Scope;
  readonly kind: 'ResourceBinding' | 'ClusterResourceBinding';
  readonly plural: string;
  readonly finalizer: string;
  readonly idLabel: string;
  readonly nameAnnotation: string;
  readonly namespaceAnnotation?: string;
}

/** The two rollout policies. */
export interface RolloutFamily {
  readonly scope: Scope;
  readonly kind: RolloutPolicy['kind'];
  readonly plural: string;
}

/** The two override policies. */
export interface OverrideFamily {
  readonly scope: Scope;
  readonly kind: 'OverridePolicy' | 'ClusterOverridePolicy';
  readonly plural: string;
}

/** The API of policies. */
export const policyApi = 'policy.karmada.io/v1alpha1';
/** The API of bindings. */
export const bindingApi = 'work.karmada.io/v1alpha2';
/** The API of Works. */
export const workApi = 'work.karmada.io/v1alpha1';
/** The API of Clusters. */
export const clusterApi = 'cluster.karmada.io/v1alpha1';

/** By scope, the namespaced one first: that is also the order in which they win. */
export const policyFamilies: Readonly<Record<Scope, PolicyFamily>> = {
  namespace: {
    scope: 'namespace',
    kind: 'PropagationPolicy',
    plural: 'propagationpolicies',
    finalizer: 'karmada.io/propagation-policy-controller',
    idLabel: 'propagationpolicy.karmada.io/permanent-id',
    nameAnnotation: 'propagationpolicy.karmada.io/name',
    namespaceAnnotation: 'propagationpolicy.karmada.io/namespace',
  },
  cluster: {
    scope: 'cluster',
    kind: 'ClusterPropagationPolicy',
    plural: 'clusterpropagationpolicies',
    finalizer: 'karmada.io/cluster-propagation-policy-controller',
    idLabel: 'clusterpropagationpolicy.karmada.io/permanent-id',
    nameAnnotation: 'clusterpropagationpolicy.karmada.io/name',
  },
};

/** ResourceBinding and ClusterResourceBinding, by scope. */
export const bindingFamilies: Readonly<Record<Scope, BindingFamily>> = {
  namespace: {
    scope: 'namespace',
    kind: 'ResourceBinding',
    plural: 'resourcebindings',
    finalizer: 'karmada.io/binding-controller',
    idLabel: 'resourcebinding.karmada.io/permanent-id',
    nameAnnotation: 'resourcebinding.karmada.io/name',
    namespaceAnnotation: 'resourcebinding.karmada.io/namespace',
  },
  cluster: {
    scope: 'cluster',
    kind: 'ClusterResourceBinding',
    plural: 'clusterresourcebindings',
    finalizer: 'karmada.io/cluster-resource-binding-controller',
    idLabel: 'clusterresourcebinding.karmada.io/permanent-id',
    nameAnnotation: 'clusterresourcebinding.karmada.io/name',
  },
};

/** RolloutPolicy and ClusterRolloutPolicy, by scope. */
export const rolloutFamilies: Readonly<Record<Scope, RolloutFamily>> = {
  namespace: { scope: 'namespace', kind: 'RolloutPolicy', plural: 'rolloutpolicies' },
  cluster: { scope: 'cluster', kind: 'ClusterRolloutPolicy', plural: 'clusterrolloutpolicies' },
};

/** OverridePolicy and ClusterOverridePolicy, by scope. */
export const overrideFamilies: Readonly<Record<Scope, OverrideFamily>> = {
  namespace: { scope: 'namespace', kind: 'OverridePolicy', plural: 'overridepolicies' },
  cluster: { scope: 'cluster', kind: 'ClusterOverridePolicy', plural: 'clusteroverridepolicies' },
};

/** The scope of a policy, from its kind. */
export function scopeOf({ kind }: Pick<Policy | RolloutPolicy | OverridePolicy, 'kind'>): Scope {
  return kind.startsWith('Cluster') ? 'cluster' : 'namespace';
}

/** The reference of a binding by its place; one without a namespace belongs to the whole cluster. */
export function bindingRef(place: { readonly namespace?: string | undefined; readonly name: string }): Ref {
  const { namespace, name } = place;
  const { kind } = bindingFamilies[namespace ? 'namespace' : 'cluster'];
  return namespace ? { apiVersion: bindingApi, kind, namespace, name } : { apiVersion: bindingApi, kind, name };
}

/** The family of a template's binding: by the template's own scope, whichever policy manages it. */
export function bindingFamilyOf(template: KubeObject | Ref): BindingFamily {
  const namespace = 'metadata' in template ? template.metadata.namespace : template.namespace;
  return namespace ? bindingFamilies.namespace : bindingFamilies.cluster;
}
