/**
 * One stored object at one revision. `bytes` is its JSON, kept so that reads and watches never serialise again.
 * `value` is parsed when first asked for and shared while in use; a path that only passes bytes on should not touch it.
 */
export interface Entry {
  readonly key: string;
  readonly revision: number;
  /** The revision at which this key was created; it tells a recreated object from a changed one. */
  readonly created: number;
  /** Frozen. */
  readonly value: unknown;
  /**
   * The same, perhaps not frozen yet: for those who only read it, and share its parts with what they write. Freezing
   * costs as much as parsing, and the text of a frozen value twice that of another.
   */
  readonly plain: unknown;
  /** UTF-8 JSON of value. */
  readonly bytes: Buffer;
  /** Facts about the text that its writer knew; gone after a restart. */
  readonly recipe?: Recipe | undefined;
}

/** A shorter way from a text back to its value than to parse all of it. */
export interface Recipe {
  read(text: string): object;
}

/** A value as JSON text. */
export interface Written {
  readonly text: string;
  readonly recipe?: Recipe;
}

/** A change as a watcher sees it; `entry` of a deletion is the last state with the revision of the deletion. */
export interface StoreEvent {
  readonly type: 'created' | 'updated' | 'deleted';
  readonly entry: Entry;
  readonly before?: Entry;
}

/**
 * The value of a write, or how to make it from the revision that the write gets, for values that carry their own
 * revision. The function is called at once, within `write`, after the precondition was met. From then on the value is
 * the store's: nobody may write to it, and it is frozen before anybody reads it.
 */
export type Stampable = object | ((revision: number, before: Entry | undefined) => object);

/** Options of every write: how the text of its value is made, where JSON.stringify alone is not enough. */
interface Writable {
  readonly text?: (value: object) => Written;
}

/**
 * A write. `revision` is the precondition: the entry's current revision, or 0 for "must not exist"; absent: any.
 * The `value` of a deletion is the last state that watchers see; absent: the state before.
 */
export type StoreWrite = Writable &
  (
    | { readonly verb: 'put'; readonly key: string; readonly value: Stampable; readonly revision?: number }
    | { readonly verb: 'delete'; readonly key: string; readonly value?: Stampable; readonly revision?: number }
  );

/** The options of a list. */
export interface ListOptions {
  /** List as of this revision (not older than the compaction). */
  readonly at?: number;
  readonly limit?: number;
  /** Start after this key. */
  readonly after?: string;
}

/** A page of a list. */
export interface ListPage {
  readonly entries: readonly Entry[];
  readonly revision: number;
  /** The key to pass as `after` for the next page. */
  readonly next?: string;
  readonly remaining: number;
}

/** Ends the watch; no event is delivered after it returns. */
export interface Watch {
  close(): void;
}

/** Receives the changes of a watch. */
export interface Watcher {
  /** Called in revision order, each revision once, after the write is durable. */
  readonly onEvents: (events: readonly StoreEvent[]) => void;
  /** The watch ended: 'compacted' (start over with a list) or 'closed' (the store stops). */
  readonly onEnd: (why: 'compacted' | 'closed') => void;
}

/** The codes of a StoreError. */
export type StoreErrorCode =
  | 'conflict'
  | 'compacted'
  | 'future'
  | 'readonly'
  | 'locked'
  | 'corrupt'
  | 'version'
  | 'closed';

/** The reason why a store refuses a request. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

/**
 * One ordered, durable log of revisions with everything read from memory.
 * Guarantees: a write resolves only when it is durable; reads see a write only once it is durable;
 * revisions grow by one per write; a watch from revision R delivers every change after R, in order, once.
 */
export interface Store {
  /** The newest durable revision. */
  readonly revision: number;
  /** The oldest revision from which a watch or a list may start. */
  readonly compacted: number;
  /** Undefined when healthy; else why writes are refused. */
  readonly readonlyBecause: string | undefined;
  get(key: string): Entry | undefined;
  /** Keys with this prefix in key order. */
  list(prefix: string, options?: ListOptions): ListPage;
  count(prefix: string): number;
  /**
   * Rejects with StoreError 'conflict' when the precondition is not met or there is nothing to delete; by then a read
   * sees the state that was in the way. For 'delete' it resolves to the deleted entry: its last state, with the
   * revision of the deletion.
   */
  write(write: StoreWrite): Promise<Entry>;
  /** Throws StoreError 'compacted' or 'future' when it cannot start there; never calls the watcher before it returns. */
  watch(prefix: string, from: number, watcher: Watcher): Watch;
  /** Forgets the states that only revisions before this one can read. */
  compact(revision: number): Promise<void>;
  /** Writes a consistent copy to a file while the store goes on. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
