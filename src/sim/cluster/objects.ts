import type { KubeObject, LabelSelector, Resource } from '../../api/index.ts';

/** A condition of a built-in kind; which of the times it carries depends on the kind. */
export interface StatusCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly lastUpdateTime?: string;
  readonly lastProbeTime?: string | null;
}

/** A container of a pod. */
export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly resources?: { readonly requests?: Readonly<Record<string, unknown>> };
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number; readonly protocol?: string }[];
}

/** One condition on labels or fields of a node. */
export interface NodeRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Conditions on a node, all of which must be met. */
export interface NodeTerm {
  readonly matchExpressions?: readonly NodeRequirement[];
  readonly matchFields?: readonly NodeRequirement[];
}

/** Lets a pod run on nodes with a taint. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

/** The spec of a Pod. */
export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms: readonly NodeTerm[] };
    };
  };
  readonly tolerations?: readonly Toleration[];
  readonly restartPolicy?: string;
  readonly hostNetwork?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly volumes?: readonly object[];
}

/** The status of a Pod. */
export interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly StatusCondition[];
  readonly podIP?: string;
  readonly startTime?: string;
  readonly [part: string]: unknown;
}

/** A Pod, as far as the simulation reads it. */
export type Pod = Resource<PodSpec, PodStatus>;

/** The template from which workloads make pods. */
export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: PodSpec;
}

/** The fields that all workloads share. */
export interface WorkloadSpec {
  readonly replicas?: number;
  readonly selector: LabelSelector;
  readonly template: PodTemplate;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
}

/** A taint of a node. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** Nodes and budgets may come without a spec. */
export interface Node extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[]; readonly podCIDR?: string };
  readonly status?: {
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly conditions?: readonly StatusCondition[];
  };
}

/** The status of a ReplicaSet. */
export interface ReplicaSetStatus {
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly observedGeneration?: number;
}

/** A ReplicaSet, as far as the simulation reads it. */
export type ReplicaSet = Resource<WorkloadSpec, ReplicaSetStatus>;

/** The spec of a Deployment. */
export interface DeploymentSpec extends WorkloadSpec {
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
  readonly strategy?: { readonly type?: string; readonly rollingUpdate?: Readonly<Record<string, unknown>> };
}

/** The status of a Deployment. */
export interface DeploymentStatus {
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly StatusCondition[];
  readonly collisionCount?: number;
}

/** A Deployment, as far as the simulation reads it. */
export type Deployment = Resource<DeploymentSpec, DeploymentStatus>;

/** The spec of a StatefulSet. */
export interface StatefulSetSpec extends WorkloadSpec {
  readonly podManagementPolicy?: string;
  readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string }; readonly spec: ClaimSpec }[];
  readonly ordinals?: { readonly start?: number };
  readonly persistentVolumeClaimRetentionPolicy?: { readonly whenDeleted?: string; readonly whenScaled?: string };
}

/** A StatefulSet, as far as the simulation reads it. */
export type StatefulSet = Resource<
  StatefulSetSpec,
  { readonly currentRevision?: string; readonly updateRevision?: string; readonly collisionCount?: number }
>;

/** The spec of a DaemonSet. */
export interface DaemonSetSpec extends WorkloadSpec {
  readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: Readonly<Record<string, unknown>> };
}

/** A DaemonSet, as far as the simulation reads it. */
export type DaemonSet = Resource<DaemonSetSpec, { readonly collisionCount?: number }>;

/** A recorded revision of a StatefulSet or DaemonSet. */
export type ControllerRevision = KubeObject & { readonly revision: number; readonly data: unknown };

/** The spec of a Job. */
export interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly backoffLimit?: number;
  readonly completionMode?: string;
  readonly suspend?: boolean;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly template: PodTemplate;
}

/** The status of a Job. */
export interface JobStatus {
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly conditions?: readonly StatusCondition[];
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
}

/** A Job, as far as the simulation reads it. */
export type Job = Resource<JobSpec, JobStatus>;

/** The spec of a CronJob. */
export interface CronJobSpec {
  readonly schedule: string;
  readonly timeZone?: string;
  readonly suspend?: boolean;
  readonly concurrencyPolicy?: string;
  readonly startingDeadlineSeconds?: number;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
  readonly jobTemplate: { readonly metadata?: PodTemplate['metadata']; readonly spec: JobSpec };
}

/** A CronJob, as far as the simulation reads it. */
export type CronJob = Resource<
  CronJobSpec,
  { readonly lastScheduleTime?: string; readonly lastSuccessfulTime?: string; readonly active?: readonly object[] }
>;

/** A port of a Service. */
export interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
}

/** The spec of a Service. */
export interface ServiceSpec {
  readonly type?: string;
  readonly selector?: Readonly<Record<string, string>>;
  readonly ports?: readonly ServicePort[];
  readonly publishNotReadyAddresses?: boolean;
  readonly loadBalancerIP?: string;
}

interface Balanced {
  readonly loadBalancer?: { readonly ingress?: readonly object[] };
}

/** A Service, as far as the simulation reads it. */
export type Service = Resource<ServiceSpec, Balanced>;

/** An Ingress, as far as the simulation reads it. */
export type Ingress = Resource<{ readonly ingressClassName?: string }, Balanced>;

/** The spec of a PersistentVolumeClaim. */
export interface ClaimSpec {
  readonly accessModes?: readonly string[];
  readonly storageClassName?: string;
  readonly volumeName?: string;
  readonly volumeMode?: string;
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
}

/** A PersistentVolumeClaim, as far as the simulation reads it. */
export type Claim = Resource<ClaimSpec, { readonly phase?: string }>;

/** A PersistentVolume, as far as the simulation reads it. */
export type Volume = Resource<
  {
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
    readonly persistentVolumeReclaimPolicy?: string;
    readonly storageClassName?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: Readonly<Record<string, string>>;
  },
  { readonly phase?: string }
>;

/** A StorageClass, as far as the simulation reads it. */
export type StorageClass = KubeObject & { readonly provisioner: string; readonly reclaimPolicy?: string };

/** A PodDisruptionBudget, as far as the simulation reads it. */
export interface Budget extends KubeObject {
  readonly spec?: {
    readonly selector?: LabelSelector;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
  };
  readonly status?: { readonly conditions?: readonly StatusCondition[] };
}

/** A metric of an autoscaler, or its target. */
export interface Metric {
  readonly type: string;
  readonly [source: string]: unknown;
}

/** A HorizontalPodAutoscaler, as far as the simulation reads it. */
export type Autoscaler = Resource<
  {
    readonly scaleTargetRef: { readonly apiVersion?: string; readonly kind: string; readonly name: string };
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics?: readonly Metric[];
  },
  {
    readonly lastScaleTime?: string;
    readonly desiredReplicas?: number;
    readonly conditions?: readonly StatusCondition[];
  }
>;

/** True for a pod that has ended: done, or failed for good. */
export function isOver(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** Tells whether this pod serves requests. */
export function isReady(pod: Pod): boolean {
  return conditionOf(pod.status?.conditions, 'Ready')?.status === 'True';
}

/** The condition of a type. */
export function conditionOf(
  conditions: readonly StatusCondition[] | undefined,
  type: string,
): StatusCondition | undefined {
  return conditions?.find((one) => one.type === type);
}

/** The counts that are not 0: Kubernetes leaves the others out. */
export function counted(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** When an object was created, as text that sorts by time. */
export function bornAt({ metadata }: KubeObject): string {
  return metadata.creationTimestamp ?? '';
}

/** Tells whether the deletion of this object was requested. */
export function isGoing(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
