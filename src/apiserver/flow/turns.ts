/** A request that takes long on the event loop waits here for its turn. */
interface Heavy {
  readonly flow: string;
  readonly start: (end: () => void) => void;
}

/** The longest pause after a turn, in milliseconds. */
const longestPause = 250;

/**
 * The turns of requests that take the event loop for long: one at a time, and after each as long a pause as it took, in which
 * everybody else is answered.
 * Guarantees: between two turns the loop looks at what has come in; flows take turns, so one with sixteen large writes does not
 * delay another's first.
 */
export class HeavyTurns {
  /** Flows in the order of their turns; a flow that had one goes to the end. */
  readonly #flows = new Map<string, Heavy[]>();
  #busy = false;

  get waiting(): number {
    let sum = 0;
    for (const list of this.#flows.values()) sum += list.length;
    return sum;
  }

  /** Resolves when it is the caller's turn, with what ends it. */
  next(flow: string): Promise<() => void> {
    return new Promise((resolve) => {
      const list = this.#flows.get(flow);
      const heavy: Heavy = { flow, start: resolve };
      if (list) list.push(heavy);
      else this.#flows.set(flow, [heavy]);
      if (this.#busy) return;
      this.#busy = true;
      setImmediate(this.#begin);
    });
  }

  readonly #begin = (): void => {
    const [entry] = this.#flows;
    if (!entry) {
      this.#busy = false;
      return;
    }
    const [flow, list] = entry;
    this.#flows.delete(flow);
    const first = list.shift();
    if (list.length > 0) this.#flows.set(flow, list);
    if (first) this.#run(first);
  };

  #run({ start }: Heavy): void {
    const started = performance.now();
    let took = 0;
    start(() => setImmediate(() => this.#pause(took)));
    // Comes when what was started has given the loop back for the first time.
    setImmediate(() => (took = performance.now() - started));
  }

  #pause(took: number): void {
    if (took < 1) this.#begin();
    else setTimeout(this.#begin, Math.min(took, longestPause));
  }
}
