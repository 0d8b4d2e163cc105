import type { StoredChange } from '../../apiserver/index.ts';
import type { KubeObject } from '../../api/index.ts';
import type { Cluster } from './cluster.ts';
import type { Kind } from './kinds.ts';

/** Records every change of the cluster before a behaviour acts on it. */
export interface Observer {
  clear(): void;
  /** `resource` is `group/plural`. */
  learn(resource: string, change: StoredChange): void;
}

/**
 * The behaviour of a cluster for objects of one kind. Level-triggered: a look sees the object as it is now and nothing
 * of its history. An object wakes itself and its controller; `wakes` adds other objects that it concerns.
 */
export interface Behaviour<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly kind: Kind;
  /** Indexes that only this behaviour reads. */
  readonly observers?: readonly Observer[];
  /** By `group/plural` of what changed: the keys of the objects of our kind that it concerns. */
  readonly wakes?: Readonly<Record<string, (cluster: Cluster, change: StoredChange) => Iterable<string>>>;
  /** Brings the world where the object wants it; answers after how many milliseconds it must look again, if at all. */
  look(cluster: Cluster, object: T): Promise<number | undefined>;
}

/** A behaviour as the runner keeps it. */
export type AnyBehaviour = Behaviour<never>;
