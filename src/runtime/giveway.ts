import type { Clock } from '../observe/index.ts';
import { wallClock } from '../observe/index.ts';

export interface GiveWayOptions {
  /** Is there work that goes first? */
  readonly isBusy: () => boolean;
  readonly clock?: Clock;
  /** Those who give way wait no longer than this, and are then left alone for a turn. */
  readonly patienceMilliseconds?: number;
  readonly turnMilliseconds?: number;
}

const defaults = { clock: wallClock, patienceMilliseconds: 100, turnMilliseconds: 25 };

/**
 * Lets work that can wait give way to work that should not.
 * Guarantees: nobody waits while there is nothing to wait for; with others at work without end, those who wait get a
 * turn whenever their patience is over. What waits meanwhile is often overtaken by newer state and done once.
 */
export class GiveWay {
  readonly #options: GiveWayOptions & typeof defaults;
  readonly #listeners = new Set<() => void>();
  #turnEnds = -Infinity;
  #cancel: (() => void) | undefined;

  constructor(options: GiveWayOptions) {
    this.#options = { ...defaults, ...options };
  }

  /** May those who give way go now? If not, they are told when they may. */
  isOpen(): boolean {
    const { isBusy, clock, patienceMilliseconds } = this.#options;
    if (clock.now() < this.#turnEnds || !isBusy()) return true;
    this.#cancel ??= clock.after(patienceMilliseconds, this.#lost);
    return false;
  }

  /** Calls back when it may be open again. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Some of those who go first have nothing left to do. */
  rested(): void {
    if (this.#cancel && !this.#options.isBusy()) this.#open();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#listeners.clear();
  }

  /** Patience is lost. */
  readonly #lost = (): void => {
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
