import type { Clock } from '../observe/index.ts';
import type { KubeObject } from '../api/index.ts';
import { compareRevisions } from '../client/index.ts';

/** The record of a deleted object, kept for a while so that no late event brings it back. */
interface Tombstone {
  readonly revision: string;
  /** Objects of this name that we deleted ourselves: they never come back, at whatever revision. */
  readonly uids: readonly string[];
  readonly at: number;
}

/** How sure a change is. */
export interface Certainty {
  /** Counts although its revision is lower than what is known: the server's history started over. */
  readonly rewound?: boolean | undefined;
  /** The object came from a GET. A DELETED event at the same revision only means that its labels no longer match the watch. */
  readonly found?: boolean | undefined;
}

/** The identity of a deletion. */
export interface Removal extends Certainty {
  /** The revision of the deletion, where it is known. */
  readonly revision?: string | undefined;
  /** The object that we have deleted ourselves. */
  readonly uid?: string | undefined;
}

/** A deletion that was taken. */
export interface Removed {
  readonly before: KubeObject | undefined;
}

/** A state that was taken. */
export interface Taken extends Removed {
  /** The object as it is kept. */
  readonly after: KubeObject;
}

/** No watch is later than this: it would have stalled and started over. */
const tombstoneMilliseconds = 10 * 60_000;
/** Objects of one name that can be deleted while one event is late. */
const mostUids = 16;

/**
 * Objects by key, each at the newest revision heard of.
 * Guarantees: what is older than what is known never replaces it, whether it comes from a watch, a list or the answer
 * to a write, and a deleted object stays deleted until something newer says otherwise.
 */
export class VersionedObjects {
  readonly #clock: Clock;
  readonly #keep: (object: KubeObject) => KubeObject;
  readonly #objects = new Map<string, KubeObject>();
  readonly #tombstones = new Map<string, Tombstone>();

  constructor(clock: Clock, keep: (object: KubeObject) => KubeObject = (object) => object) {
    this.#clock = clock;
    this.#keep = keep;
  }

  get size(): number {
    return this.#objects.size;
  }

  get tombstones(): number {
    return this.#tombstones.size;
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  entries(): IterableIterator<[string, KubeObject]> {
    return this.#objects.entries();
  }

  /** Takes a state of an object; undefined when it says nothing new. */
  put(key: string, object: KubeObject, certainty: Certainty = {}): Taken | undefined {
    const before = this.#objects.get(key);
    if (before ? !isNews(before, object, certainty.rewound) : this.#isBuried(key, object, certainty)) return undefined;
    const after = this.#keep(object);
    this.#objects.set(key, after);
    if (this.#tombstones.size > 0) this.#tombstones.delete(key);
    return { before, after };
  }

  /** Takes a deletion; undefined when there was nothing, or something newer. */
  remove(key: string, removal: Removal = {}): Removed | undefined {
    const before = this.#objects.get(key);
    if (!before) {
      this.#bury(key, removal, undefined);
      return undefined;
    }
    if (!removal.rewound && isOutdated(before, removal)) return undefined;
    this.#objects.delete(key);
    this.#bury(key, removal, before);
    return { before };
  }

  #isBuried(key: string, object: KubeObject, { rewound, found }: Certainty): boolean {
    const tombstone = this.#tombstones.size > 0 ? this.#tombstones.get(key) : undefined;
    if (!tombstone || rewound) return false;
    const { uid, resourceVersion = '' } = object.metadata;
    if (uid !== undefined && tombstone.uids.includes(uid)) return true;
    const order = compareRevisions(resourceVersion, tombstone.revision);
    return order !== undefined && (found ? order < 0 : order <= 0);
  }

  #bury(key: string, removal: Removal, before: KubeObject | undefined): void {
    const known = this.#tombstones.get(key);
    this.#tombstones.delete(key);
    // Revisions of the history before mean nothing in the new one.
    if (removal.rewound) return;
    const now = this.#clock.now();
    this.#tombstones.set(key, { ...tombstoneOf(removal, before, known), at: now });
    for (const [old, { at }] of this.#tombstones) {
      if (now - at < tombstoneMilliseconds) break;
      this.#tombstones.delete(old);
    }
  }
}

function tombstoneOf(
  { revision, uid }: Removal,
  before: KubeObject | undefined,
  known: Tombstone | undefined,
): Omit<Tombstone, 'at'> {
  const uids = known?.uids ?? [];
  return {
    revision: newer(revision ?? before?.metadata.resourceVersion, known?.revision),
    uids: uid === undefined ? uids : [...uids, uid].slice(-mostUids),
  };
}

/** A late word of an earlier deletion must not make the tombstone of a later one forget. */
function newer(revision: string | undefined, known: string | undefined): string {
  if (revision === undefined || known === undefined) return revision ?? known ?? '';
  return (compareRevisions(known, revision) ?? 0) > 0 ? known : revision;
}

/** Tells whether this state differs from the known one and is not older. */
function isNews(before: KubeObject, object: KubeObject, rewound: boolean | undefined): boolean {
  if (before === object) return false;
  const order = compareRevisions(object.metadata.resourceVersion ?? '', before.metadata.resourceVersion ?? '');
  if (order === 0) return before.metadata.uid !== object.metadata.uid;
  return order === undefined || order > 0 || rewound === true;
}

/** Tells whether this deletion is that of an earlier object, or older than the known state. */
function isOutdated(before: KubeObject, { revision, uid }: Removal): boolean {
  if (uid !== undefined) return uid !== before.metadata.uid;
  const order = revision === undefined ? 0 : compareRevisions(revision, before.metadata.resourceVersion ?? '');
  return order !== undefined && order < 0;
}
