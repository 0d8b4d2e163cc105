import type { Version } from './version.ts';

/** A write on its way to the log. */
export interface Queued {
  readonly version: Version;
  readonly resolve: (version: Version) => void;
  readonly reject: (error: Error) => void;
  /** Writes that lost against this one: they hear so when it is durable, so that what they read then explains it. */
  readonly losers: ((failure?: Error) => void)[];
}

/** The bounds of one batch, so that no commit takes long. */
const batchWrites = 2048;
const batchBytes = 8 << 20;

/** Writes in revision order that are not durable yet, and what each key will be when they are. */
export class WriteQueue {
  #waiting: Queued[] = [];
  #flying: readonly Queued[] = [];
  readonly #tips = new Map<string, Queued>();

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The newest write of this key, if one is on its way. */
  tip(key: string): Queued | undefined {
    return this.#tips.get(key);
  }

  /** How many revisions are given out beyond the durable ones. */
  get ahead(): number {
    return this.#waiting.length + this.#flying.length;
  }

  add(write: Queued): void {
    this.#waiting.push(write);
    this.#tips.set(write.version.key, write);
  }

  /** The next batch; it stays on its way until `landed` or `failed`. */
  take(): readonly Queued[] {
    let count = 0;
    for (let bytes = 0; count < this.#waiting.length && count < batchWrites && bytes < batchBytes; count++) {
      bytes += this.#waiting[count]?.version.bytes.length ?? 0;
    }
    this.#flying = this.#waiting.splice(0, count);
    return this.#flying;
  }

  /** The batch is durable and can be read: tells its writers. */
  landed(): void {
    const batch = this.#flying;
    this.#flying = [];
    for (const write of batch) {
      if (this.#tips.get(write.version.key) === write) this.#tips.delete(write.version.key);
      write.resolve(write.version);
      for (const lose of write.losers) lose();
    }
  }

  /** Nothing on its way will be durable: tells all writers. */
  failed(error: Error): void {
    const all = [...this.#flying, ...this.#waiting];
    this.#flying = [];
    this.#waiting = [];
    this.#tips.clear();
    for (const write of all) {
      write.reject(error);
      for (const lose of write.losers) lose(error);
    }
  }
}
