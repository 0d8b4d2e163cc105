/** Choices of the hub's flags that decisions read; those who plan read them from the hub. */
export interface Settings {
  /** Whether a ClusterTaintPolicy may have NoExecute taints, which evict what runs. */
  readonly allowNoExecuteTaintPolicies: boolean;
}

export const defaultSettings: Settings = {
  allowNoExecuteTaintPolicies: false,
};
