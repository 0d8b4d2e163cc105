import type { KubeObject } from './meta.ts';

/** Amounts by resource name; numbers and quantities alike. */
export type ResourceList = Readonly<Record<string, string | number>>;

/** Limits what a namespace takes over all members. */
export interface FederatedResourceQuota extends KubeObject {
  readonly apiVersion: 'policy.karmada.io/v1alpha1';
  readonly kind: 'FederatedResourceQuota';
  readonly spec: {
    readonly overall: ResourceList;
    readonly staticAssignments?: readonly { readonly clusterName: string; readonly hard: ResourceList }[];
  };
  readonly status?: {
    readonly overall?: ResourceList;
    readonly overallUsed?: ResourceList;
    readonly aggregatedStatus?: readonly {
      readonly clusterName: string;
      readonly hard?: ResourceList;
      readonly used?: ResourceList;
    }[];
  };
}
