import type { PurgeMode } from './policy.ts';

/** Choices of the hub's flags that decisions read; those who plan read them from the hub. */
export interface Settings {
  /** Whether a ClusterTaintPolicy may have NoExecute taints, which evict what runs. */
  readonly allowNoExecuteTaintPolicies: boolean;
  /** How an old copy goes after a taint evicted it, where the policy does not say. */
  readonly taintPurgeMode: Extract<PurgeMode, 'Gracefully' | 'Directly'>;
  /** How long an old copy waits for its replacement to be healthy, where its task does not say. */
  readonly gracefulEvictionSeconds: number;
  /** How many workloads may be evicted in a second. */
  readonly evictionsPerSecond: number;
  /** Nothing is evicted while two members or more, and more than this share of the fleet, have failed together. */
  readonly outagePercent: number;
  /** Members that begin to fail within this time fail together. */
  readonly outageSeconds: number;
  /** Targets of propagated autoscalers keep the replicas that members give them. */
  readonly hpaScaleTargetMarker: boolean;
  /** Replicas that members scale are taken over into divided Deployments. */
  readonly deploymentReplicasSyncer: boolean;
  /** How long a hub that was away looks at a failed member before it evicts from it. */
  readonly awakeSeconds: number;
}

/** The settings of a control plane without flags. */
export const defaultSettings: Settings = {
  allowNoExecuteTaintPolicies: false,
  taintPurgeMode: 'Gracefully',
  gracefulEvictionSeconds: 600,
  evictionsPerSecond: 0.5,
  outagePercent: 40,
  outageSeconds: 300,
  hpaScaleTargetMarker: false,
  deploymentReplicasSyncer: false,
  awakeSeconds: 60,
};
