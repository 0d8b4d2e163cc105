/** Milliseconds that workers may run before I/O and timers get the event loop. */
const longestTurn = 4;
/** Number of workers that continue in one turn. */
const abreast = 16;
/** One in this many workers is taken from the normal line, however many urgent ones wait. */
const fairShare = 4;

type Waiters = (() => void)[];

/**
 * Shares the event loop between workers, requests, watches and timers.
 * Guarantees: at most a few workers continue between two polls for I/O; workers continue in the order of arrival, urgent ones
 * first, and normal ones are never starved.
 */
export class LoopShare {
  readonly #urgent: Waiters = [];
  readonly #others: Waiters = [];
  #count = 0;
  #since = 0;
  #called = false;

  /** Tells whether the current turn has used up its time. */
  get isOver(): boolean {
    return performance.now() - this.#since >= longestTurn;
  }

  /** Resolves when it is the caller's turn. */
  next(urgent: boolean): Promise<void> {
    return new Promise((resolve) => {
      (urgent ? this.#urgent : this.#others).push(resolve);
      this.#call();
    });
  }

  #call(): void {
    if (this.#called) return;
    this.#called = true;
    setImmediate(this.#begin);
  }

  readonly #begin = (): void => {
    this.#called = false;
    this.#since = performance.now();
    for (let i = 0; i < abreast; i++) this.#first()?.();
    if (this.#urgent.length + this.#others.length > 0) this.#call();
  };

  #first(): (() => void) | undefined {
    const fair = ++this.#count % fairShare === 0;
    return fair ? (this.#others.shift() ?? this.#urgent.shift()) : (this.#urgent.shift() ?? this.#others.shift());
  }
}

/** The share of this thread's event loop. */
export const loopShare = new LoopShare();
