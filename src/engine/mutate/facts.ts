/** Facts that mutation needs beyond the object: random numbers and time are facts. */
export interface MutationFacts {
  readonly operation: 'CREATE' | 'UPDATE';
  /** The namespace of the request. */
  readonly namespace?: string;
  /** A fresh UUID, for the objects that get an id. */
  readonly uuid: string;
  /** RFC 3339. */
  readonly now?: string;
  /** The stored object, on UPDATE. */
  readonly old?: unknown;
  /** Whether members get default resource models (gate CustomizedClusterResourceModeling). */
  readonly resourceModels?: boolean;
}
