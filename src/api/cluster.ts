import type { Condition, KubeObject } from './meta.ts';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly timeAdded?: string;
}

/** The taint that `sluice cordon` sets: nothing new is placed on the member. */
export const cordonTaint: Taint = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' };

export interface SecretReference {
  readonly namespace: string;
  readonly name: string;
}

export interface ResourceModel {
  readonly grade: number;
  readonly ranges: readonly { readonly name: string; readonly min: string | number; readonly max: string | number }[];
}

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

export interface ApiEnablement {
  readonly groupVersion: string;
  readonly resources?: readonly { readonly name: string; readonly kind: string }[];
}

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
