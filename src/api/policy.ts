import type { LabelSelector } from './selector.ts';
import type { Condition, KubeObject, ObjectMeta } from './meta.ts';

/** Selects templates; `namespace` of a cluster policy may be a comma list of names and `prefix*` (proposal 1). */
export interface ResourceSelector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: LabelSelector;
}

/** Takes templates out of what `resourceSelectors` select; all set fields must match (proposal 0). */
export interface ExcludedResource {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: LabelSelector;
}

/** The members that a suspension covers. */
export interface SuspendClusters {
  readonly clusterNames?: readonly string[];
}

/** Both spellings: proposal 4's, and the one that Karmada released. Stored as written, read through `heldClusters`. */
export interface Suspension {
  readonly suspendDispatching?: boolean;
  readonly suspendDispatchingOnClusters?: SuspendClusters;
  readonly dispatching?: boolean;
  readonly dispatchingOnClusters?: SuspendClusters;
}

/** Selects members by provider, region or zone. */
export interface FieldSelector {
  readonly matchExpressions?: readonly FieldRequirement[];
}

/** One condition of a FieldSelector. */
export interface FieldRequirement {
  readonly key: 'provider' | 'region' | 'zone';
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

/** Selects members by name, labels and fields. */
export interface ClusterAffinity {
  readonly labelSelector?: LabelSelector;
  readonly fieldSelector?: FieldSelector;
  readonly clusterNames?: readonly string[];
  readonly exclude?: readonly string[];
}

/** One of several affinities, which are tried in their order. */
export interface ClusterAffinityTerm extends ClusterAffinity {
  readonly affinityName: string;
  readonly overflowAffinities?: readonly (ClusterAffinity & { readonly affinityName: string })[];
}

/** Lets a workload run on members with a taint. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly tolerationSeconds?: number;
}

/** Bounds how many members, regions, zones or providers a workload uses. */
export interface SpreadConstraint {
  readonly spreadByField?: 'cluster' | 'region' | 'zone' | 'provider';
  readonly spreadByLabel?: string;
  readonly maxGroups?: number;
  readonly minGroups?: number;
}

/** The weight of some members when replicas are divided. */
export interface StaticClusterWeight {
  readonly targetCluster: ClusterAffinity;
  readonly weight: number;
}

/** Says whether and how replicas are divided between members. */
export interface ReplicaScheduling {
  readonly replicaSchedulingType?: 'Duplicated' | 'Divided';
  readonly replicaDivisionPreference?: 'Aggregated' | 'Weighted';
  readonly weightPreference?: {
    readonly staticWeightList?: readonly StaticClusterWeight[];
    readonly dynamicWeight?: 'AvailableReplicas';
  };
}

/** Where a template goes and how its replicas are divided. */
export interface Placement {
  readonly clusterAffinity?: ClusterAffinity;
  readonly clusterAffinities?: readonly ClusterAffinityTerm[];
  readonly clusterTolerations?: readonly Toleration[];
  readonly spreadConstraints?: readonly SpreadConstraint[];
  readonly replicaScheduling?: ReplicaScheduling;
  readonly workloadAffinity?: {
    readonly affinity?: { readonly groupByLabelKey: string };
    readonly antiAffinity?: { readonly groupByLabelKey: string };
  };
}

/** A PriorityClass of Kubernetes. */
export interface PriorityClass extends KubeObject {
  readonly value?: number;
}

export type PurgeMode = 'Directly' | 'Gracefully' | 'Never' | 'Immediately' | 'Graciously';

/** The parts of a status that failover gives to the new copy, as labels. */
export interface StatePreservation {
  readonly rules: readonly { readonly aliasLabelName: string; readonly jsonPath: string }[];
}

/** The rules of failover when an application, or a member, is unhealthy. */
export interface FailoverBehavior {
  readonly application?: {
    readonly decisionConditions: { readonly tolerationSeconds?: number };
    readonly purgeMode?: PurgeMode;
    readonly gracePeriodSeconds?: number;
    readonly statePreservation?: StatePreservation;
  };
  readonly cluster?: { readonly purgeMode?: PurgeMode; readonly statePreservation?: StatePreservation };
}

/** The choice where a member has an unmanaged object of the same name. */
export type ConflictResolution = 'Abort' | 'Overwrite';

/** spec of PropagationPolicy and ClusterPropagationPolicy. */
export interface PropagationSpec {
  readonly resourceSelectors: readonly ResourceSelector[];
  readonly excludedResources?: readonly ExcludedResource[];
  readonly association?: boolean;
  readonly propagateDeps?: boolean;
  readonly placement?: Placement;
  readonly priority?: number;
  readonly preemption?: 'Always' | 'Never';
  readonly dependentOverrides?: readonly string[];
  readonly schedulerName?: string;
  readonly failover?: FailoverBehavior;
  readonly conflictResolution?: ConflictResolution;
  readonly activationPreference?: 'Lazy' | '';
  readonly suspension?: Suspension;
  readonly preserveResourcesOnDeletion?: boolean;
  readonly schedulePriority?: { readonly priorityClassSource: string; readonly priorityClassName: string };
}

/** How many templates a policy manages, and their status; ours, Karmada has no policy status. */
export interface PolicyStatus {
  readonly observedGeneration?: number;
  /** The resourceVersion at which this generation was first seen; the status itself is written later. */
  readonly observedResourceVersion?: string;
  readonly templates?: number;
  readonly upToDate?: number;
  readonly pending?: number;
  readonly suspended?: number;
  readonly conditions?: readonly Condition[];
}

/** A PropagationPolicy or ClusterPropagationPolicy; `kind` tells which, `scopeOf` reads it. */
export interface Policy extends KubeObject {
  readonly apiVersion: 'policy.karmada.io/v1alpha1';
  readonly kind: 'PropagationPolicy' | 'ClusterPropagationPolicy';
  readonly metadata: ObjectMeta;
  readonly spec: PropagationSpec;
  readonly status?: PolicyStatus;
}

/**
 * A RolloutPolicy or ClusterRolloutPolicy: suspends the dispatching of single resources (the alternative at the end of
 * proposal 4); `kind` tells which, `scopeOf` reads it.
 */
export interface RolloutPolicy extends KubeObject {
  readonly apiVersion: 'policy.karmada.io/v1alpha1';
  readonly kind: 'RolloutPolicy' | 'ClusterRolloutPolicy';
  readonly spec: {
    readonly resourceSelectors: readonly ResourceSelector[];
    readonly suspension?: Suspension;
    readonly reason?: string;
    readonly owner?: string;
    /** RFC 3339; the suspension ends then. */
    readonly until?: string;
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
}
