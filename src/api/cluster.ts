import type { Condition, KubeObject } from './meta.ts';

/** A taint of a member, as on a Kubernetes Node. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly timeAdded?: string;
}

/** The taint that `sluice cordon` sets: nothing new is placed on the member. */
export const cordonTaint: Taint = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' };

/** The Secret with the credentials of a member. */
export interface SecretReference {
  readonly namespace: string;
  readonly name: string;
}

/** A grade of nodes by their resources, from Karmada's resource models. */
export interface ResourceModel {
  readonly grade: number;
  readonly ranges: readonly { readonly name: string; readonly min: string | number; readonly max: string | number }[];
}

/** The spec of a Cluster: how the member is reached, and where it is. */
export interface ClusterSpec {
  readonly id?: string;
  readonly syncMode: 'Push' | 'Pull';
  readonly apiEndpoint?: string;
  readonly secretRef?: SecretReference;
  readonly impersonatorSecretRef?: SecretReference;
  readonly insecureSkipTLSVerification?: boolean;
  readonly proxyURL?: string;
  readonly proxyHeader?: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly region?: string;
  readonly zone?: string;
  readonly zones?: readonly string[];
  readonly taints?: readonly Taint[];
  readonly resourceModels?: readonly ResourceModel[];
}

/** The kinds of one group and version that a member serves. */
export interface ApiEnablement {
  readonly groupVersion: string;
  readonly resources?: readonly { readonly name: string; readonly kind: string }[];
}

/** The status of a Cluster, as probes report it. */
export interface ClusterStatus {
  readonly kubernetesVersion?: string;
  readonly apiEnablements?: readonly ApiEnablement[];
  readonly conditions?: readonly Condition[];
  readonly nodeSummary?: { readonly totalNum?: number; readonly readyNum?: number };
  readonly resourceSummary?: {
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly allocating?: Readonly<Record<string, string>>;
    readonly allocated?: Readonly<Record<string, string>>;
    readonly allocatableModelings?: readonly { readonly grade: number; readonly count: number }[];
  };
}

/** A member cluster as the hub knows it. */
export interface Cluster extends KubeObject {
  readonly apiVersion: 'cluster.karmada.io/v1alpha1';
  readonly kind: 'Cluster';
  readonly spec: ClusterSpec;
  readonly status?: ClusterStatus;
}
