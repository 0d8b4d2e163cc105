/** Nobody else runs while answers follow one another without waiting; after so long the others get their turn. */
const longestTurn = 4;
/** So many workers go on in one turn. */
const abreast = 16;
/** One of so many of them is not urgent, however many are. */
const fairShare = 4;

type Line = (() => void)[];

/**
 * The turns of all who answer without waiting: requests, watches and timers get theirs in between, however many work.
 * Guarantees: only a few workers go on between two looks at what has come in; who waits longest is next, but those who do
 * what is urgent go before, and never keep the others from going on.
 */
export class Turns {
  readonly #urgent: Line = [];
  readonly #others: Line = [];
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
    for (let i = 0; i < abreast; i++) this.#first()?.();
    if (this.#urgent.length + this.#others.length > 0) this.#call();
  };

  #first(): (() => void) | undefined {
    const fair = ++this.#count % fairShare === 0;
    return fair ? (this.#others.shift() ?? this.#urgent.shift()) : (this.#urgent.shift() ?? this.#others.shift());
  }
}

/** There is one loop, so there is one order of turns. */
export const turns = new Turns();
