import type { KubeObject } from './meta.ts';

/** The action for members whose conditions match; any one match suffices, and none means always. */
export interface Remedy extends KubeObject {
  readonly apiVersion: 'remedy.karmada.io/v1alpha1';
  readonly kind: 'Remedy';
  readonly spec: {
    readonly clusterAffinity?: { readonly clusterNames?: readonly string[] };
    readonly decisionMatches?: readonly {
      readonly clusterConditionMatch?: {
        readonly conditionType: string;
        readonly operator: 'Equal' | 'NotEqual';
        readonly conditionStatus: string;
      };
    }[];
    readonly actions?: readonly string[];
  };
}
