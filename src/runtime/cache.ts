import { timestamp } from '../base/index.ts';
import { clusterApi, defaultGates, defaultSettings, keyOf, ObjectIndex, refOf } from '../api/index.ts';
import type {
  Cluster,
  Gates,
  IndexKeysOf,
  KubeObject,
  MemberObject,
  Settings,
  Trouble,
  UnreadableObject,
  View,
} from '../api/index.ts';
import type { ReflectedChange } from '../client/index.ts';
import { silentLogger, wallClock } from '../observe/index.ts';
import type { Clock, Logger } from '../observe/index.ts';
import { VersionedObjects } from './versioned.ts';
import type { Certainty } from './versioned.ts';

/** A change of an object; `at` is the member, or absent for the hub. */
export interface CacheChange {
  readonly key: string;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
  /** `watch`: somebody wrote it just now; `list`: found when everything was read; `write`: our own write. */
  readonly origin: 'watch' | 'list' | 'write';
  readonly at?: string;
}

/** Receives every change of a cache. */
export type ChangeListener = (change: CacheChange) => void;

/** The options of the hub's cache. */
export interface CacheOptions {
  /** The index keys under which an object stands; they follow from its name, labels, annotations and spec alone. */
  readonly indexKeysOf: IndexKeysOf;
  /** Why an object cannot be read; undefined when it can. Sluice's own writes are not checked. */
  readonly whyUnreadable?: (object: KubeObject) => string | undefined;
  /** The objects of members. */
  readonly member?: (member: string, key: string) => MemberObject;
  /** Drops the parts of an object that are not kept; everything is kept when absent. */
  readonly keep?: (object: KubeObject) => KubeObject;
  readonly gates?: Partial<Gates>;
  readonly settings?: Partial<Settings>;
  /** Where the agents of Pull members are. */
  readonly agents?: View['agents'];
  readonly clock?: Clock;
  readonly log?: Logger;
}

/**
 * The hub as the controllers see it: frozen objects with the index that decisions read.
 * Guarantees: the answer to our own write is seen by the next read; nothing older ever replaces it.
 * Caveat: between two looks anything may change, so a decision reads everything that it needs without waiting.
 */
export class HubCache implements View {
  readonly gates: Gates;
  readonly settings: Settings;
  /** Called before anybody learns since when members are watched: a process that was stopped finds out in time. */
  onAwakeAsked: () => void = () => {};
  #awakeSince: string | undefined;
  readonly answering = new Set<string>();
  readonly agents: View['agents'];
  readonly #options: CacheOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #objects: VersionedObjects;
  readonly #index: ObjectIndex;
  readonly #fleet = new Map<string, Cluster>();
  #clusters: readonly Cluster[] | undefined;
  readonly unreadable = new Map<string, UnreadableObject>();
  /** Reports of the pods of members, by the key of the Work that they run for. */
  readonly podTroubles = new Map<string, Trouble>();
  readonly #assumed = new Map<string, KubeObject>();
  /** Asks webhooks that interpret kinds; without, the hub has none. */
  askWebhook: View['askWebhook'];
  readonly #listeners = new Set<ChangeListener>();
  /** The time to the second, which many decisions share. */
  #second = Number.NaN;
  #now = '';

  constructor(options: CacheOptions) {
    this.#options = options;
    this.gates = { ...defaultGates, ...options.gates };
    this.settings = { ...defaultSettings, ...options.settings };
    this.agents = options.agents;
    this.#clock = options.clock ?? wallClock;
    this.#log = options.log ?? silentLogger;
    this.#objects = new VersionedObjects(this.#clock, options.keep);
    this.#index = new ObjectIndex(options.indexKeysOf);
  }

  get awakeSince(): string | undefined {
    this.onAwakeAsked();
    return this.#awakeSince;
  }

  set awakeSince(time: string | undefined) {
    this.#awakeSince = time;
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
    return (this.#clusters ??= Object.freeze(
      [...this.#fleet.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
    ));
  }

  get(key: string): KubeObject | undefined {
    if (this.unreadable.size > 0 && this.unreadable.has(key)) return undefined;
    return this.#objects.get(key);
  }

  /** Notes that a write of this object is under way; the function that it returns removes the note. */
  assume(key: string, object: KubeObject): () => void {
    this.#assumed.set(key, object);
    return () => {
      if (this.#assumed.get(key) === object) this.#assumed.delete(key);
    };
  }

  assumed(key: string): KubeObject | undefined {
    return this.#assumed.get(key);
  }

  find(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  each(indexKey: string, visit: (object: KubeObject, key: string) => void): void {
    this.#index.each(indexKey, (key) => {
      const object = this.#objects.get(key);
      if (object) visit(object, key);
    });
  }

  has(indexKey: string): boolean {
    return this.#index.has(indexKey);
  }

  namespaces(kind: string, prefix: string, visit: (namespace: string) => void): void {
    this.#index.namespaces(kind, prefix, visit);
  }

  member(member: string, key: string): MemberObject {
    return this.#options.member?.(member, key) ?? 'unknown';
  }

  podTrouble(workKey: string): Trouble | undefined {
    return this.podTroubles.get(workKey);
  }

  entries(): IterableIterator<[string, KubeObject]> {
    return this.#objects.entries();
  }

  /** Calls back with every change from now on; returns a function that ends it. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Applies the changes of a reflector. */
  apply(changes: readonly ReflectedChange[]): void {
    for (const { key, after, revision, origin, rewound } of changes) {
      if (after) this.#put(key, after, { origin, rewound });
      else this.#remove(key, { revision, rewound }, origin);
    }
  }

  /** Stores the answer to our own write or read. */
  put(object: KubeObject, certainty?: Certainty): void {
    this.#put(keyOf(refOf(object)), object, { ...certainty, origin: 'write' });
  }

  /** Removes an object that we deleted, or that a read did not find. */
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
    const isReadable = this.#isReadable(key, after, origin);
    if (before || isReadable) this.#reindex(key, before, isReadable ? after : undefined);
    this.#tell({ key, before, after, origin });
  }

  /** Brings index and fleet up to date with a change of an object; at least one of the two states is there. */
  #reindex(key: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    this.#index.update(key, before, after);
    const object = after ?? before;
    if (object?.kind !== 'Cluster' || object.apiVersion !== clusterApi) return;
    this.#clusters = undefined;
    if (after) this.#fleet.set(key, after as Cluster);
    else this.#fleet.delete(key);
  }

  /** Tells whether the object can be read. Our own writes to a readable object are not checked: they have the shape of their kind. */
  #isReadable(key: string, object: KubeObject, origin: CacheChange['origin']): boolean {
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
    if (!this.unreadable.delete(key)) this.#reindex(key, taken.before, undefined);
    this.#tell({ key, before: taken.before, after: undefined, origin });
  }

  /** A listener that fails must not keep the others from being called, nor end the watch. */
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
