import type { History } from './history.ts';

/** How much of the past a store keeps: what is older or more is compacted. */
export interface Retention {
  /** Milliseconds for which a revision can at least be listed and watched, unless a bound below is passed. */
  readonly age: number;
  /** Bytes kept for the past. */
  readonly bytes: number;
  /** Changes kept for watchers. */
  readonly changes: number;
}

/** Five minutes, as Kubernetes' own API servers keep; at most 64 MiB or 200,000 changes. */
export const defaultRetention: Retention = { age: 300_000, bytes: 64 << 20, changes: 200_000 };

/** When a bound is passed, compaction goes this far below it, so that it is not passed again at once. */
const slack = 0.75;

/** Decides how far to compact; knows when which revision was reached by being asked from time to time. */
export class RetentionClock {
  readonly #retention: Retention;
  readonly #reached: { readonly time: number; readonly revision: number }[] = [];

  constructor(retention: Retention) {
    this.#retention = retention;
  }

  /** Tells whether more of the past is kept than the bounds allow. */
  isOver(history: History): boolean {
    return history.weight > this.#retention.bytes || history.length > this.#retention.changes;
  }

  /** The revision that brings the past back under its bounds. */
  bySize(history: History): number {
    const { bytes, changes } = this.#retention;
    return history.fitting({ bytes: bytes * slack, changes: Math.floor(changes * slack) });
  }

  /** The newest revision that was reached at least `age` ago; notes the present one. */
  byAge(history: History, now: number): number {
    if (this.#retention.age === Infinity) return history.compacted;
    this.#reached.push({ time: now, revision: history.revision });
    let old = 0;
    while ((this.#reached[old]?.time ?? Infinity) <= now - this.#retention.age) old++;
    const due = this.#reached.splice(0, old).at(-1);
    return Math.max(history.compacted, due?.revision ?? 0);
  }
}
