import type { Cluster } from './cluster.ts';
import type { WebhookAnswer, WebhookQuestion } from './interpreter.ts';
import type { KubeObject } from './meta.ts';
import type { Settings } from './settings.ts';

/** Switches of behaviour, by name; defaults in `defaultGates`. */
export interface Gates {
  readonly PropagationPolicyPreemption: boolean;
  readonly StaticPolicy: boolean;
  readonly PropagateDeps: boolean;
  readonly Failover: boolean;
  readonly GracefulEviction: boolean;
  /** A workload that failover moves with purgeMode Directly carries parts of its state along, as labels. */
  readonly StatefulFailoverInjection: boolean;
  readonly KarmadaDispatchingCondition: boolean;
  /** A copy that a placement change takes off a cluster stays until its replacement is healthy. */
  readonly GracefulMove: boolean;
  readonly PolicyAuthorRights: boolean;
  /** A template with several sorts of pods goes to one cluster with capacity for all of them. */
  readonly MultiplePodTemplatesScheduling: boolean;
  /** Bindings have the priority of the PriorityClass that their policy names. */
  readonly PriorityBasedScheduling: boolean;
  /** Workloads are placed together with, or apart from, others of their group. */
  readonly WorkloadAffinity: boolean;
  /** Bindings that exceed a FederatedResourceQuota of their namespace are refused. */
  readonly FederatedQuotaEnforcement: boolean;
  /** ResourceQuotas that members report bound the capacity for divided replicas. */
  readonly ResourceQuotaEstimate: boolean;
}

/** The feature gates without flags. */
export const defaultGates: Gates = {
  PropagationPolicyPreemption: true,
  StaticPolicy: false,
  PropagateDeps: true,
  Failover: false,
  GracefulEviction: true,
  StatefulFailoverInjection: false,
  KarmadaDispatchingCondition: false,
  GracefulMove: true,
  PolicyAuthorRights: true,
  MultiplePodTemplatesScheduling: false,
  PriorityBasedScheduling: true,
  WorkloadAffinity: false,
  FederatedQuotaEnforcement: false,
  ResourceQuotaEstimate: false,
};

/**
 * The ConfigMap of the hub in which the controllers say with which gates they decide, and in the key `settings` with which
 * settings, for those who plan.
 */
export const gatesRef = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'karmada-system',
  name: 'sluice-feature-gates',
} as const;

/**
 * The ConfigMap of the hub that suspends removals: while it exists, nothing is deleted in a member. `sluice restore` writes
 * it, `sluice resume removals` deletes it.
 */
export const removalsRef = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'karmada-system',
  name: 'sluice-removals',
} as const;

/** An object of a member as far as the hub knows: it may not have answered yet. */
export type MemberObject = KubeObject | 'absent' | 'unknown';

/** A stored object of our own kinds that does not have the shape of its kind, and what is wrong with it. */
export interface UnreadableObject {
  readonly object: KubeObject;
  readonly message: string;
}

/** Why an object of a member is not healthy. */
export interface Trouble {
  /** One word: ProgressDeadlineExceeded, CrashLoopBackOff. */
  readonly reason: string;
  readonly message: string;
  /** The member has given up, or cannot run it: waiting will not help. */
  readonly failed: boolean;
}

/**
 * Synchronous reads of the state of the world, for the decisions: informer caches, an overlay of a proposed change
 * over them, or a world in memory. `each` reads the index that `indexKeysOf` describes.
 */
export interface View {
  /** RFC 3339. Time is a fact like any other. */
  readonly now: string;
  readonly gates: Gates;
  readonly settings: Settings;
  /** Since when the hub has been watching its members without a break, RFC 3339; absent where nobody watches, as in plans. */
  readonly awakeSince?: string | undefined;
  /** Members that are called not ready and answered the last probe: they may be ready soon. Absent where nobody watches. */
  readonly answering?: ReadonlySet<string> | undefined;
  /**
   * How moves end: by what members report, when absent; `assumed`, as soon as the replacement was sent; `awaited`, not at
   * all. Only plans assume.
   */
  readonly health?: 'assumed' | 'awaited' | undefined;
  /**
   * The agents of Pull members: `apart` from this process, which only hands Works over to them; `here`, since this process is the
   * agent of one member and sees nothing of the hub but its Works. Absent: the view is whole, for plans and tests.
   */
  readonly agents?: 'apart' | 'here' | undefined;
  /** Every cluster of the fleet: the same array as long as none changes. */
  readonly clusters: readonly Cluster[];
  /** Objects of our own kinds that do not have the shape of their kind, by key: `get` and `each` do not find them. */
  readonly unreadable: ReadonlyMap<string, UnreadableObject>;
  /** An object of the hub by its key. */
  get(key: string): KubeObject | undefined;
  /** An object as a write that is under way leaves it; only a live hub has such writes. */
  assumed?(key: string): KubeObject | undefined;
  /** Visits the objects of the hub that stand under a index key of the index, with their keys, in no promised order. */
  each(indexKey: string, visit: (object: KubeObject, key: string) => void): void;
  /** Tells whether the index has an object under this key. */
  has(indexKey: string): boolean;
  /** The namespaces beginning with a prefix in which objects of a kind (`apiVersion|kind`) exist. */
  namespaces(kind: string, prefix: string, visit: (namespace: string) => void): void;
  member(member: string, key: string): MemberObject;
  /** The trouble that the pods of a Work's object report, read only for workloads that are not healthy. */
  podTrouble?(workKey: string): Trouble | undefined;
  /**
   * The remembered answer of a webhook that interprets a kind; undefined while it is being asked. A view without this
   * knows no webhooks.
   */
  askWebhook?: ((question: WebhookQuestion) => WebhookAnswer | undefined) | undefined;
}
