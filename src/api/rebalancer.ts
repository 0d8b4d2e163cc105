import type { KubeObject, Ref } from './meta.ts';

/** The result of rebalancing one workload. */
export interface ObservedWorkload {
  readonly workload: Ref;
  readonly result?: 'Successful' | 'Failed';
  readonly reason?: 'ReferencedBindingNotFound';
}

/** Has workloads scheduled again, as if for the first time. */
export interface WorkloadRebalancer extends KubeObject {
  readonly apiVersion: 'apps.karmada.io/v1alpha1';
  readonly kind: 'WorkloadRebalancer';
  readonly spec: {
    readonly workloads: readonly Ref[];
    readonly ttlSecondsAfterFinished?: number;
  };
  readonly status?: {
    readonly observedWorkloads?: readonly ObservedWorkload[];
    readonly observedGeneration?: number;
    readonly finishTime?: string;
  };
}
