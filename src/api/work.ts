import type { Condition, KubeObject } from './meta.ts';
import type { ConflictResolution, FailoverBehavior, Placement, PurgeMode, Suspension } from './policy.ts';

/** The field manager under which Sluice writes to members. */
export const memberWriter = 'sluice';

/** The health of an object in a member. */
export type Health = 'Healthy' | 'Unhealthy' | 'Unknown';

/** One object as it is to stand in a member. */
export interface Work extends KubeObject {
  readonly apiVersion: 'work.karmada.io/v1alpha1';
  readonly kind: 'Work';
  readonly spec: {
    readonly workload: { readonly manifests: readonly KubeObject[] };
    readonly suspendDispatching?: boolean;
    readonly preserveResourcesOnDeletion?: boolean;
  };
  readonly status?: WorkStatus;
}

/** The status of a Work. */
export interface WorkStatus {
  readonly conditions?: readonly Condition[];
  readonly manifestStatuses?: readonly ManifestStatus[];
}

/** The status of one manifest of a Work, as the member reports it. */
export interface ManifestStatus {
  readonly identifier: {
    readonly ordinal: number;
    readonly group?: string;
    readonly version: string;
    readonly kind: string;
    readonly resource: string;
    readonly namespace?: string;
    readonly name: string;
  };
  readonly status?: unknown;
  readonly health?: Health;
}

/** A member that the scheduler has chosen, with its replicas. */
export interface TargetCluster {
  readonly name: string;
  readonly replicas?: number;
  readonly components?: readonly { readonly name: string; readonly replicas: number }[];
}

/** The template of a binding. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** A binding that has this one as a dependency (propagateDeps). */
export interface BindingSnapshot {
  readonly namespace?: string;
  readonly name: string;
  readonly clusters?: readonly TargetCluster[];
}

/** A copy that leaves a member once it is replaced. */
export interface GracefulEvictionTask {
  readonly fromCluster: string;
  readonly purgeMode?: PurgeMode;
  readonly replicas?: number;
  readonly reason: string;
  readonly message?: string;
  readonly producer: string;
  readonly gracePeriodSeconds?: number;
  readonly suppressDeletion?: boolean;
  readonly preservedLabelState?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
  readonly clustersBeforeFailover?: readonly string[];
}

/** The resources that each replica needs. */
export interface ReplicaRequirements {
  readonly nodeClaim?: {
    readonly hardNodeAffinity?: unknown;
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly unknown[];
  };
  readonly resourceRequest?: Readonly<Record<string, string>>;
  readonly namespace?: string;
  readonly priorityClassName?: string;
}

/** A part of a template that has several kinds of pods, for example the master of a job. */
export interface Component {
  readonly name: string;
  readonly replicas: number;
  readonly replicaRequirements?: ReplicaRequirements;
}

/** The spec of a binding: its template, its placement and its clusters. */
export interface BindingSpec {
  readonly resource: ObjectReference;
  readonly propagateDeps?: boolean;
  readonly replicaRequirements?: ReplicaRequirements;
  readonly replicas?: number;
  readonly components?: readonly Component[];
  readonly clusters?: readonly TargetCluster[];
  readonly placement?: Placement;
  readonly gracefulEvictionTasks?: readonly GracefulEvictionTask[];
  readonly requiredBy?: readonly BindingSnapshot[];
  readonly schedulerName?: string;
  readonly failover?: FailoverBehavior;
  readonly conflictResolution?: ConflictResolution;
  readonly rescheduleTriggeredAt?: string;
  readonly suspension?: Suspension & { readonly scheduling?: boolean };
  readonly preserveResourcesOnDeletion?: boolean;
  readonly schedulePriority?: { readonly priority: number };
  readonly workloadAffinityGroups?: WorkloadAffinityGroups;
}

/** `key=value` of the labels by which a workload is placed together with others, or apart from them. */
export interface WorkloadAffinityGroups {
  readonly affinityGroup?: string;
  readonly antiAffinityGroup?: string;
}

/** The status of a template in one member. */
export interface AggregatedStatusItem {
  readonly clusterName: string;
  readonly status?: unknown;
  readonly applied?: boolean;
  readonly appliedMessage?: string;
  readonly health?: Health;
  /** For an object that is applied and not healthy: inside its deadline, or not. */
  readonly state?: 'Progressing' | 'Unhealthy';
  /** The member's own words for it. */
  readonly reason?: string;
  readonly message?: string;
  readonly since?: string;
  /** The time since which it was unhealthy in any state, without a change of the object; only for failover.application. */
  readonly unhealthySince?: string;
}

/** The status of a binding. */
export interface BindingStatus {
  readonly schedulerObservedGeneration?: number;
  readonly schedulerObservingAffinityName?: string;
  readonly lastScheduledTime?: string;
  readonly conditions?: readonly Condition[];
  readonly aggregatedStatus?: readonly AggregatedStatusItem[];
}

/** A ResourceBinding or ClusterResourceBinding: what a policy says of one template, and where it was placed. */
export interface Binding extends KubeObject {
  readonly apiVersion: 'work.karmada.io/v1alpha2';
  readonly kind: 'ResourceBinding' | 'ClusterResourceBinding';
  readonly spec: BindingSpec;
  readonly status?: BindingStatus;
}
