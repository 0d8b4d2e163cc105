import { timestamp } from '../base/index.ts';
import { defaultGates, keyOf, refOf } from '../api/index.ts';
import type { Cluster, Gates, KubeObject, MemberObject, UnreadableObject, View } from '../api/index.ts';
import type { ObjectChange } from '../client/index.ts';
import { silentLogger, wallClock } from '../observe/index.ts';
import type { Clock, Logger } from '../observe/index.ts';
import { HubIndex } from './hub-index.ts';
import { VersionedObjects } from './versioned.ts';
import type { Certainty } from './versioned.ts';

/** A change of an object as those who wait for it are told; `at` is the member, or absent for the hub. */
export interface CacheChange {
  readonly key: string;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
  /** `watch`: somebody did it just now; `list`: found when everything was read; `write`: we did it ourselves. */
  readonly origin: 'watch' | 'list' | 'write';
  readonly at?: string;
}

export type ChangeListener = (change: CacheChange) => void;

export interface CacheOptions {
  /** The index keys under which an object stands; they follow from its name, labels, annotations and spec alone. */
  readonly indexKeysOf: (object: KubeObject) => readonly string[];
  /** What keeps an object from being read; undefined when nothing does. Its own writes are not looked at. */
  readonly whyUnreadable?: (object: KubeObject) => string | undefined;
  /** What is known of the members. */
  readonly member?: (member: string, key: string) => MemberObject;
  /** What is kept of an object; all of it when absent. */
  readonly keep?: (object: KubeObject) => KubeObject;
  readonly gates?: Partial<Gates>;
  readonly clock?: Clock;
  readonly log?: Logger;
}

/**
 * The hub as the controllers see it: frozen objects with the index that decisions read.
 * Guarantees: the answer to a write of ours is seen at once by whoever looks next; nothing older ever replaces it.
 * Caveat: between two looks anything may change, so a decision reads everything that it needs without waiting.
 */
export class HubCache implements View {
  readonly gates: Gates;
  readonly #options: CacheOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #objects: VersionedObjects;
  readonly #index: HubIndex;
  readonly unreadable = new Map<string, UnreadableObject>();
  readonly #listeners = new Set<ChangeListener>();
  /** The time to the second, which many decisions share. */
  #second = Number.NaN;
  #now = '';

  constructor(options: CacheOptions) {
    this.#options = options;
    this.gates = { ...defaultGates, ...options.gates };
    this.#clock = options.clock ?? wallClock;
    this.#log = options.log ?? silentLogger;
    this.#objects = new VersionedObjects(this.#clock, options.keep);
    this.#index = new HubIndex(options.indexKeysOf);
  }

  get now(): string {
    const milliseconds = this.#clock.now();
    const second = milliseconds - (milliseconds % 1000);
    if (second !== this.#second) [this.#second, this.#now] = [second, timestamp(second)];
    return this.#now;
  }

  get size(): number {
    return this.#objects.size;
  }

  get clusters(): readonly Cluster[] {
    return this.#index.clusters;
  }

  get(key: string): KubeObject | undefined {
    if (this.unreadable.size > 0 && this.unreadable.has(key)) return undefined;
    return this.#objects.get(key);
  }

  find(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  each(indexKey: string, visit: (object: KubeObject, key: string) => void): void {
    this.#index.indexKeys.each(indexKey, (key) => {
      const object = this.#objects.get(key);
      if (object) visit(object, key);
    });
  }

  has(indexKey: string): boolean {
    return this.#index.indexKeys.has(indexKey);
  }

  namespaces(kind: string, prefix: string, visit: (namespace: string) => void): void {
    this.#index.namespaces.each(kind, prefix, visit);
  }

  member(member: string, key: string): MemberObject {
    return this.#options.member?.(member, key) ?? 'unknown';
  }

  entries(): IterableIterator<[string, KubeObject]> {
    return this.#objects.entries();
  }

  /** Calls back with every change from now on; returns what ends it. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Takes what a reflector tells. */
  apply(changes: readonly ObjectChange[]): void {
    for (const { key, after, revision, origin, rewound } of changes) {
      if (after) this.#put(key, after, { origin, rewound });
      else this.#remove(key, { revision, rewound }, origin);
    }
  }

  /** Takes the answer to a write or a read of our own. */
  put(object: KubeObject, certainty?: Certainty): void {
    this.#put(keyOf(refOf(object)), object, { ...certainty, origin: 'write' });
  }

  /** Takes that an object is gone because we deleted it, or that a read did not find it. */
  remove(key: string, uid?: string): void {
    this.#remove(key, { uid }, 'write');
  }

  #put(
    key: string,
    object: KubeObject,
    { origin, ...certainty }: Certainty & { readonly origin: CacheChange['origin'] },
  ): void {
    const taken = this.#objects.put(key, object, certainty);
    if (!taken) return;
    const { after } = taken;
    const before = this.unreadable.has(key) ? undefined : taken.before;
    const isReadable = this.#judge(key, after, origin);
    if (before || isReadable) this.#index.update(key, before, isReadable ? after : undefined);
    this.#tell({ key, before, after, origin });
  }

  /** Can the object be read? Our own writes to an object that could be read are not looked at: they have the shape of their kind. */
  #judge(key: string, object: KubeObject, origin: CacheChange['origin']): boolean {
    const isKnown = this.unreadable.delete(key);
    if (origin === 'write' && !isKnown) return true;
    const message = this.#options.whyUnreadable?.(object);
    if (message === undefined) return true;
    this.unreadable.set(key, { object, message });
    return false;
  }

  #remove(key: string, removal: Parameters<VersionedObjects['remove']>[1], origin: CacheChange['origin']): void {
    const taken = this.#objects.remove(key, removal);
    if (!taken?.before) return;
    if (!this.unreadable.delete(key)) this.#index.update(key, taken.before, undefined);
    this.#tell({ key, before: taken.before, after: undefined, origin });
  }

  /** A listener that fails must not keep the others from hearing, nor end the watch that told us. */
  #tell(change: CacheChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#log.error('a listener of the cache failed', { object: change.key, error });
      }
    }
  }
}
