/** Nobody else runs while answers follow one another without waiting; after so long the others get their turn. */
const longestTurn = 8;
/** One of so many turns is for those who are not urgent, however many are. */
const fairShare = 4;

/**
 * The turns of all who answer without waiting: requests, watches and timers get theirs in between, however many work.
 * Guarantees: one worker's turn at a time between two looks at what has come in; who waits longest is next, but those
 * who do what is urgent go before, and never keep the others from going on.
 */
export class Turns {
  readonly #urgent: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #count = 0;
  #since = 0;
  #called = false;

  /** Has this turn lasted long enough? */
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
    const [first, second] =
      ++this.#count % fairShare === 0 ? [this.#others, this.#urgent] : [this.#urgent, this.#others];
    (first.shift() ?? second.shift())?.();
    if (first.length + second.length > 0) this.#call();
  };
}

/** There is one loop, so there is one order of turns. */
export const turns = new Turns();
