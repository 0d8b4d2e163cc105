import type { Clock } from '../observe/index.ts';
import { wallClock } from '../observe/index.ts';

/** The options of deferred work. */
export interface DeferredWorkOptions {
  /** Tells whether work that goes first is waiting. */
  readonly isBusy: () => boolean;
  readonly clock?: Clock;
  /** Deferred work waits no longer than this; then it runs for `turnMilliseconds`. */
  readonly patienceMilliseconds?: number;
  readonly turnMilliseconds?: number;
}

const defaults = { clock: wallClock, patienceMilliseconds: 100, turnMilliseconds: 25 };

/**
 * Defers work that can wait while other work is queued.
 * Guarantees: nothing is deferred while no other work waits; under constant load deferred work still gets a turn after
 * `patienceMilliseconds`. Deferred work is often replaced by newer state, so that it is done once instead of many times.
 */
export class DeferredWork {
  readonly #options: DeferredWorkOptions & typeof defaults;
  readonly #listeners = new Set<() => void>();
  #turnEnds = -Infinity;
  #cancel: (() => void) | undefined;

  constructor(options: DeferredWorkOptions) {
    this.#options = { ...defaults, ...options };
  }

  /** Tells whether deferred work may run now. If not, listeners are called when it may. */
  isOpen(): boolean {
    const { isBusy, clock, patienceMilliseconds } = this.#options;
    if (clock.now() < this.#turnEnds || !isBusy()) return true;
    this.#cancel ??= clock.after(patienceMilliseconds, this.#giveTurn);
    return false;
  }

  /** Calls back when it may be open again. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Call it when a queue that goes first is empty. */
  idle(): void {
    if (this.#cancel && !this.#options.isBusy()) this.#open();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#listeners.clear();
  }

  readonly #giveTurn = (): void => {
    const { clock, turnMilliseconds } = this.#options;
    this.#turnEnds = clock.now() + turnMilliseconds;
    this.#open();
  };

  #open(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const listener of this.#listeners) listener();
  }
}
