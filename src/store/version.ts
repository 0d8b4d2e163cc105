import { freeze } from '../base/index.ts';
import type { Entry, StoreEvent } from './contract.ts';

/** What makes a version, in the order it is written to the log. */
export interface VersionParts {
  readonly key: string;
  readonly revision: number;
  readonly created: number;
  readonly bytes: Buffer;
  /** The parsed value where it is at hand; otherwise it is parsed from the bytes when somebody asks. */
  readonly value?: object | undefined;
}

const recentValues = 4096;
const recent: object[] = [];
let next = 0;

/**
 * One state of one key; a deletion is a version too, with the last state of what it deletes.
 * The bytes are held; the parsed value is shared for as long as anyone uses it and parsed anew after that,
 * so that a store of a hundred thousand objects costs what its bytes cost, to the heap and to its collector.
 */
export class Version implements Entry {
  readonly key: string;
  readonly revision: number;
  readonly created: number;
  readonly bytes: Buffer;
  readonly deleted: boolean;
  /** The state before; cut off by compaction. */
  previous: Version | undefined = undefined;
  #value: WeakRef<object> | undefined = undefined;
  #frozen = true;

  constructor(parts: VersionParts, deleted = false) {
    this.key = parts.key;
    this.revision = parts.revision;
    this.created = parts.created;
    this.bytes = parts.bytes;
    this.deleted = deleted;
    if (!parts.value) return;
    this.#hold(parts.value);
    this.#frozen = false;
  }

  /** Freezing costs as much as parsing, and of most states only the bytes are wanted: so it waits for a reader. */
  get value(): unknown {
    const known = this.#value?.deref();
    if (known && this.#frozen) return known;
    this.#frozen = true;
    return known ? freeze(known) : this.#hold(freeze(JSON.parse(this.bytes.toString()) as object));
  }

  #hold(value: object): object {
    this.#value = new WeakRef(value);
    recent[next] = value;
    next = (next + 1) % recentValues;
    return value;
  }
}

/** JSON in memory of its own: a slice of a pool would keep its neighbours alive long after they were compacted. */
export function bytesOf(json: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  bytes.write(json);
  return bytes;
}

/** The state before a version, when there was one and it was not a deletion. */
export function before(version: Version): Version | undefined {
  return version.previous?.deleted ? undefined : version.previous;
}

/** A version of the log as watchers see it. */
export function eventOf(version: Version): StoreEvent {
  const last = before(version);
  return last ? { type: typeOf(version), entry: version, before: last } : { type: typeOf(version), entry: version };
}

function typeOf(version: Version): StoreEvent['type'] {
  if (version.deleted) return 'deleted';
  return version.created === version.revision ? 'created' : 'updated';
}
