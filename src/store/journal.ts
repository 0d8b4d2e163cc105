import type { Version } from './version.ts';

/** A consistent picture of all that a store can read. */
export interface Image {
  readonly compacted: number;
  readonly revision: number;
  readonly versions: readonly Version[];
}

/** The log behind a store. The store has one `append`, `compact` or `recover` under way at a time. */
export interface Journal {
  /** Runs the function when the writes of this moment have been gathered. */
  gather(run: () => void): void;
  /** Resolves when all of the batch is durable; when it rejects, none of it is. */
  append(batch: readonly Version[]): Promise<void>;
  /** Drops these revisions and remembers the compaction, both or neither. */
  compact(revision: number, superseded: readonly number[]): Promise<void>;
  /** After a failure: resolves when writes work again and nothing after this revision is in the log. */
  recover(revision: number): Promise<void>;
  /** Writes a consistent copy that `restoreStore` understands. */
  backup(file: string, image: () => Image): Promise<void>;
  close(): Promise<void>;
}

/** Changes values on their way to and from the disk, for example to encrypt them. `place` is the key of the value. */
export interface Sealing {
  seal(place: string, bytes: Buffer): Buffer;
  /** Throws for a value that it cannot open. */
  open(place: string, bytes: Buffer): Buffer;
}
