import { freeze } from '../base/index.ts';
import type { Entry, Recipe, StoreEvent } from './contract.ts';

/** The parts of a version, in the order in which they are written to the log. */
export interface VersionParts {
  readonly key: string;
  readonly revision: number;
  readonly created: number;
  readonly bytes: Buffer;
  /** The parsed value where it is at hand; otherwise it is parsed from the bytes when somebody asks. */
  readonly value?: object | undefined;
  /** Absent: the value is what JSON.parse makes of the bytes. */
  readonly recipe?: Recipe | undefined;
}

const recentValues = 4096;
const recent: object[] = [];
let next = 0;

/**
 * One state of one key; a deletion is a version too, with the last state of what it deletes. The bytes are kept; the
 * parsed value is shared for as long as anyone uses it and parsed again after that, so that a store of a hundred
 * thousand objects costs what its bytes cost, to the heap and to its collector.
 */
export class Version implements Entry {
  readonly key: string;
  readonly revision: number;
  readonly created: number;
  readonly bytes: Buffer;
  readonly deleted: boolean;
  readonly recipe: Recipe | undefined;
  /** The state before; cut off by compaction. */
  previous: Version | undefined = undefined;
  #value: WeakRef<object> | undefined = undefined;
  #frozen = false;

  constructor(parts: VersionParts, deleted = false) {
    this.key = parts.key;
    this.revision = parts.revision;
    this.created = parts.created;
    this.bytes = parts.bytes;
    this.recipe = parts.recipe;
    this.deleted = deleted;
    if (parts.value) this.#hold(parts.value);
  }

  get value(): unknown {
    const value = this.plain;
    if (this.#frozen) return value;
    this.#frozen = true;
    return freeze(value);
  }

  get plain(): object {
    return this.#value?.deref() ?? this.#hold(this.#read());
  }

  #read(): object {
    const text = this.bytes.toString();
    return this.recipe ? this.recipe.read(text) : (JSON.parse(text) as object);
  }

  #hold(value: object): object {
    this.#value = new WeakRef(value);
    this.#frozen = false;
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
