import type { Taint } from './cluster.ts';
import type { KubeObject } from './meta.ts';
import type { ClusterAffinity } from './policy.ts';

/** A condition of a member that must (or must not) have one of these statuses. */
export interface ClusterConditionMatch {
  readonly conditionType: string;
  readonly operator: 'In' | 'NotIn';
  readonly statusValues: readonly string[];
}

/** Taints members while their conditions say so; all conditions of a list must hold. */
export interface ClusterTaintPolicy extends KubeObject {
  readonly apiVersion: 'policy.karmada.io/v1alpha1';
  readonly kind: 'ClusterTaintPolicy';
  readonly spec: {
    readonly targetClusters?: ClusterAffinity;
    readonly addOnConditions?: readonly ClusterConditionMatch[];
    readonly removeOnConditions?: readonly ClusterConditionMatch[];
    readonly taints: readonly Pick<Taint, 'key' | 'effect' | 'value'>[];
  };
}
