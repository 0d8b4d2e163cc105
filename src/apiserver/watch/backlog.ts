/** Bytes that all watchers together may leave unread. */
const mostInAll = 128 * 1024 * 1024;

/** A watcher that may be behind. */
export interface Behind {
  /** Ends the watch: its client lists again. */
  giveUp(): void;
}

/**
 * Counts the bytes that all watchers of a hub have not read yet. Bytes that several watchers wait for are shared, but count
 * for each. Guarantees: never more than a bound stays; past it the watchers that are furthest behind are ended first.
 */
export class Backlog {
  readonly #most: number;
  readonly #bytes = new Map<Behind, number>();
  #total = 0;

  constructor(most = mostInAll) {
    this.#most = most;
  }

  get total(): number {
    return this.#total;
  }

  /** A watcher has so many bytes unread now; 0 when it is up to date or gone. */
  note(watcher: Behind, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(watcher) ?? 0);
    if (bytes > 0) this.#bytes.set(watcher, bytes);
    else this.#bytes.delete(watcher);
    while (this.#total > this.#most) {
      const slowest = this.#slowest();
      if (!slowest) return;
      this.note(slowest, 0);
      slowest.giveUp();
    }
  }

  #slowest(): Behind | undefined {
    let found: Behind | undefined;
    let most = 0;
    for (const [watcher, bytes] of this.#bytes) {
      if (bytes <= most) continue;
      most = bytes;
      found = watcher;
    }
    return found;
  }
}
