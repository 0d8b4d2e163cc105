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

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly resources?: { readonly requests?: Readonly<Record<string, unknown>> };
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number; readonly protocol?: string }[];
}

export interface NodeRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface NodeTerm {
  readonly matchExpressions?: readonly NodeRequirement[];
  readonly matchFields?: readonly NodeRequirement[];
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

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

export interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly StatusCondition[];
  readonly podIP?: string;
  readonly startTime?: string;
  readonly [part: string]: unknown;
}

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

export interface ReplicaSetStatus {
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly observedGeneration?: number;
}

export type ReplicaSet = Resource<WorkloadSpec, ReplicaSetStatus>;

export interface DeploymentSpec extends WorkloadSpec {
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
  readonly strategy?: { readonly type?: string; readonly rollingUpdate?: Readonly<Record<string, unknown>> };
}

export interface DeploymentStatus {
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly StatusCondition[];
  readonly collisionCount?: number;
}

export type Deployment = Resource<DeploymentSpec, DeploymentStatus>;

export interface StatefulSetSpec extends WorkloadSpec {
  readonly podManagementPolicy?: string;
  readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string }; readonly spec: ClaimSpec }[];
  readonly ordinals?: { readonly start?: number };
  readonly persistentVolumeClaimRetentionPolicy?: { readonly whenDeleted?: string; readonly whenScaled?: string };
}

export type StatefulSet = Resource<
  StatefulSetSpec,
  { readonly currentRevision?: string; readonly updateRevision?: string; readonly collisionCount?: number }
>;

export interface DaemonSetSpec extends WorkloadSpec {
  readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: Readonly<Record<string, unknown>> };
}

export type DaemonSet = Resource<DaemonSetSpec, { readonly collisionCount?: number }>;

export type ControllerRevision = KubeObject & { readonly revision: number; readonly data: unknown };

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

export interface JobStatus {
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly conditions?: readonly StatusCondition[];
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
}

export type Job = Resource<JobSpec, JobStatus>;

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

export type CronJob = Resource<
  CronJobSpec,
  { readonly lastScheduleTime?: string; readonly lastSuccessfulTime?: string; readonly active?: readonly object[] }
>;

export interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
}

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

export type Service = Resource<ServiceSpec, Balanced>;

export type Ingress = Resource<{ readonly ingressClassName?: string }, Balanced>;

export interface ClaimSpec {
  readonly accessModes?: readonly string[];
  readonly storageClassName?: string;
  readonly volumeName?: string;
  readonly volumeMode?: string;
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
}

export type Claim = Resource<ClaimSpec, { readonly phase?: string }>;

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

export type StorageClass = KubeObject & { readonly provisioner: string; readonly reclaimPolicy?: string };

export interface Budget extends KubeObject {
  readonly spec?: {
    readonly selector?: LabelSelector;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
  };
  readonly status?: { readonly conditions?: readonly StatusCondition[] };
}

export interface Metric {
  readonly type: string;
  readonly [source: string]: unknown;
}

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
