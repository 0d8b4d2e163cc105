import type { Clock } from '../observe/index.ts';
import { wallClock } from '../observe/index.ts';
import { keyOf, memberWriter, refOf } from '../api/index.ts';
import type { KubeObject, MemberObject } from '../api/index.ts';
import type { KindRef, ReflectedChange } from '../client/index.ts';
import type { CacheChange, ChangeListener } from './cache.ts';
import { withOthersFields } from './managed-fields.ts';
import { VersionedObjects } from './versioned.ts';
import type { Certainty } from './versioned.ts';

/** The options of the caches of members. */
export interface MemberCachesOptions {
  readonly clock?: Clock;
  /** Drops the parts of an object that are not kept; everything is kept when absent. */
  readonly keep?: (object: KubeObject) => KubeObject;
}

/** The objects of one member, as far as they are followed. */
export class MemberCache {
  readonly member: string;
  readonly #objects: VersionedObjects;
  readonly #tell: ChangeListener;
  readonly #synced = new Set<string>();
  /** Keys of kinds that are not synced, under which somebody has looked and found nothing. */
  readonly #absent = new Set<string>();
  /** While a member does not answer, nothing that we remember of it is taken for the truth. */
  reachable = true;

  constructor(member: string, options: MemberCachesOptions, tell: ChangeListener) {
    const { clock = wallClock, keep } = options;
    this.member = member;
    this.#objects = new VersionedObjects(clock, (object) => {
      const light = withOthersFields(object, memberWriter);
      return keep?.(light) ?? light;
    });
    this.#tell = tell;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** The whole collection of a kind has been seen, or the member has no such kind: what is not here is absent. */
  markSynced({ apiVersion, kind }: KindRef): void {
    const prefix = `${apiVersion}|${kind}|`;
    this.#synced.add(prefix);
    for (const key of this.#absent) if (key.startsWith(prefix)) this.#absent.delete(key);
  }

  /** A kind is not watched any more. */
  markUnsynced({ apiVersion, kind }: KindRef): void {
    this.#synced.delete(`${apiVersion}|${kind}|`);
  }

  isSynced({ apiVersion, kind }: KindRef): boolean {
    return this.#synced.has(`${apiVersion}|${kind}|`);
  }

  get(key: string): MemberObject {
    if (!this.reachable) return 'unknown';
    const object = this.#objects.get(key);
    if (object) return object;
    const prefix = key.slice(0, key.indexOf('|', key.indexOf('|') + 1) + 1);
    return this.#synced.has(prefix) || this.#absent.has(key) ? 'absent' : 'unknown';
  }

  /** The object does not exist, though not all of its kind have been seen. */
  noteAbsent(key: string): void {
    this.#absent.add(key);
  }

  /** The last state that we know of, whether or not the member answers now. */
  find(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  entries(): IterableIterator<[string, KubeObject]> {
    return this.#objects.entries();
  }

  /** Applies the changes of a reflector. */
  apply(changes: readonly ReflectedChange[]): void {
    for (const { key, after, revision, origin, rewound } of changes) {
      const taken: { before: KubeObject | undefined; after?: KubeObject } | undefined = after
        ? this.#objects.put(key, after, { rewound })
        : this.#objects.remove(key, { revision, rewound });
      if (taken?.before || taken?.after) this.#change({ key, before: taken.before, after: taken.after, origin });
    }
  }

  /** Stores the answer to our own write or read. */
  put(object: KubeObject, certainty?: Certainty): void {
    const key = keyOf(refOf(object));
    const taken = this.#objects.put(key, object, certainty);
    if (taken) this.#change({ key, ...taken, origin: 'write' });
  }

  /** Removes an object that we deleted, or that a read did not find. */
  remove(key: string, uid?: string): void {
    const taken = this.#objects.remove(key, { uid });
    if (taken?.before) this.#change({ key, before: taken.before, after: undefined, origin: 'write' });
  }

  #change(change: CacheChange): void {
    this.#tell({ ...change, at: this.member });
  }
}

/** The caches of all members. */
export class MemberCaches {
  readonly #options: MemberCachesOptions;
  readonly #members = new Map<string, MemberCache>();
  readonly #listeners = new Set<ChangeListener>();

  constructor(options: MemberCachesOptions = {}) {
    this.#options = options;
  }

  get names(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** The cache of a member, made on first use. */
  of(member: string): MemberCache {
    const known = this.#members.get(member);
    if (known) return known;
    const made = new MemberCache(member, this.#options, this.#tell);
    this.#members.set(member, made);
    return made;
  }

  /** Forgets a member that has left the fleet. */
  forget(member: string): void {
    this.#members.delete(member);
  }

  /** Calls back with every change in every member; returns a function that ends it. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** For `CacheOptions.member`. */
  readonly get = (member: string, key: string): MemberObject => this.#members.get(member)?.get(key) ?? 'unknown';

  readonly #tell: ChangeListener = (change) => {
    for (const listener of this.#listeners) listener(change);
  };
}
