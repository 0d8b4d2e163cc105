import type { Condition, KubeObject } from './meta.ts';

/** The workload that is scaled. */
export interface ScaleTarget {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

/** autoscaling/v2 HPAScalingRules */
export interface ScalingRules {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies?: readonly { readonly type: string; readonly value: number; readonly periodSeconds: number }[];
  readonly tolerance?: string | number;
}

/** autoscaling/v2 MetricSpec; the source has the name of its type, in lower camel case. */
export interface MetricSpec {
  readonly type: 'Object' | 'Pods' | 'Resource' | 'ContainerResource' | 'External';
  readonly object?: unknown;
  readonly pods?: unknown;
  readonly resource?: unknown;
  readonly containerResource?: unknown;
  readonly external?: unknown;
}

/** Scales a workload by metrics of all members. */
export interface FederatedHPA extends KubeObject {
  readonly apiVersion: 'autoscaling.karmada.io/v1alpha1';
  readonly kind: 'FederatedHPA';
  readonly spec: {
    readonly scaleTargetRef: ScaleTarget;
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics?: readonly MetricSpec[];
    readonly behavior?: { readonly scaleUp?: ScalingRules; readonly scaleDown?: ScalingRules };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly lastScaleTime?: string;
    readonly currentReplicas?: number;
    readonly desiredReplicas?: number;
    readonly currentMetrics?: readonly unknown[];
    readonly conditions?: readonly Condition[];
  };
}

/** When to scale, and to what: a workload by `targetReplicas`, a FederatedHPA by its bounds. */
export interface CronRule {
  readonly name: string;
  readonly schedule: string;
  readonly targetReplicas?: number;
  readonly targetMinReplicas?: number;
  readonly targetMaxReplicas?: number;
  readonly suspend?: boolean;
  readonly timeZone?: string;
  readonly successfulHistoryLimit?: number;
  readonly failedHistoryLimit?: number;
}

/** One run of a rule: when it was due and when it ran. */
export interface CronExecution {
  readonly scheduleTime: string;
  readonly executionTime: string;
}

/** Scales a workload by the clock. */
export interface CronFederatedHPA extends KubeObject {
  readonly apiVersion: 'autoscaling.karmada.io/v1alpha1';
  readonly kind: 'CronFederatedHPA';
  readonly spec: { readonly scaleTargetRef: ScaleTarget; readonly rules: readonly CronRule[] };
  readonly status?: {
    readonly executionHistories?: readonly {
      readonly ruleName: string;
      readonly nextExecutionTime?: string;
      readonly successfulExecutions?: readonly (CronExecution & {
        readonly appliedReplicas?: number;
        readonly appliedMaxReplicas?: number;
        readonly appliedMinReplicas?: number;
      })[];
      readonly failedExecutions?: readonly (CronExecution & { readonly message: string })[];
    }[];
  };
}
