import type { KubeObject } from './meta.ts';

/** What to do about members whose conditions say so; any one match suffices, and none means always. */
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
