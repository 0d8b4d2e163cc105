import type { Journal, Sealing } from '../journal.ts';
import type { Version } from '../version.ts';
import { pack } from './batch.ts';
import type { Packed } from './batch.ts';
import type { StoreFiles } from './files.ts';
import type { Lock } from './lock.ts';
import { Thread } from './thread.ts';
import type { Order, WriterData } from './writer.ts';

interface JournalOptions {
  readonly pageLimit?: Int32Array | undefined;
  readonly sealing?: Sealing | undefined;
}

/** The log of a data directory: one writer thread, one transaction a batch; batches form while the last one commits. */
export class SqliteJournal implements Journal {
  readonly #files: StoreFiles;
  readonly #lock: Lock;
  readonly #pageLimit: Int32Array | undefined;
  readonly #sealing: Sealing | undefined;
  #writer: Thread;

  constructor(files: StoreFiles, lock: Lock, { pageLimit, sealing }: JournalOptions) {
    this.#files = files;
    this.#lock = lock;
    this.#pageLimit = pageLimit;
    this.#sealing = sealing;
    this.#writer = this.#start();
  }

  #start(): Thread {
    const { db, mark } = this.#files;
    const data: WriterData = { db, mark, pageLimit: this.#pageLimit };
    return new Thread(new URL('./writer.ts', import.meta.url), data);
  }

  /** Resolves when the writer is ready. */
  ready(): Promise<void> {
    return this.#writer.answer();
  }

  gather(run: () => void): void {
    setImmediate(run);
  }

  append(versions: readonly Version[]): Promise<void> {
    const batch = pack(this.#sealed(versions));
    const order: Order = { do: 'append', ...batch };
    return this.#writer.ask(order, [batch.numbers.buffer, batch.bytes.buffer]);
  }

  #sealed(versions: readonly Version[]): readonly Packed[] {
    const sealing = this.#sealing;
    if (!sealing) return versions;
    return versions.map(({ key, revision, created, deleted, bytes }) => {
      return { key, revision, created, deleted, bytes: sealing.seal(key, bytes) };
    });
  }

  compact(revision: number, superseded: readonly number[]): Promise<void> {
    const order: Order = { do: 'compact', revision, superseded: Float64Array.from(superseded) };
    return this.#writer.ask(order, [order.superseded.buffer]);
  }

  async recover(revision: number): Promise<void> {
    if (this.#writer.isDead) {
      this.#writer = this.#start();
      await this.#writer.answer();
    }
    const order: Order = { do: 'recover', revision };
    await this.#writer.ask(order);
  }

  async backup(file: string): Promise<void> {
    const thread = new Thread(new URL('./backup.ts', import.meta.url), { db: this.#files.db, file });
    try {
      await thread.answer();
    } finally {
      await thread.stop();
    }
  }

  async close(): Promise<void> {
    try {
      const order: Order = { do: 'close' };
      await this.#writer.ask(order);
    } catch {
      // The store was read-only, or the last checkpoint failed: what was acknowledged is in the log and is found again.
    }
    await this.#writer.stop();
    this.#lock.release();
  }
}
