import type { ApiEnablement, ClusterStatus } from './cluster.ts';

/** The result of a probe of a member. */
export type Probe =
  | { readonly health: 'unreachable' | 'unhealthy'; readonly message: string }
  | {
      readonly health: 'healthy';
      readonly kubernetesVersion: string;
      readonly apiEnablements: readonly ApiEnablement[];
      readonly complete: boolean;
      readonly nodeSummary: NonNullable<ClusterStatus['nodeSummary']>;
      readonly resourceSummary: NonNullable<ClusterStatus['resourceSummary']>;
    };
