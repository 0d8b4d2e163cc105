import type { Waiter } from './queues.ts';

/** Requests of one flow that wait. */
const mostOfFlow = 50;
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
  readonly #flows = new Map<string, Waiter[]>();
  #busy = false;

  get waiting(): number {
    let sum = 0;
    for (const list of this.#flows.values()) sum += list.length;
    return sum;
  }

  /** Lets a request wait; false when too many of its flow do. */
  enqueue(waiter: Waiter): boolean {
    const list = this.#flows.get(waiter.flow);
    if (list && list.length >= mostOfFlow) return false;
    if (list) list.push(waiter);
    else this.#flows.set(waiter.flow, [waiter]);
    if (!this.#busy) {
      this.#busy = true;
      setImmediate(this.#begin);
    }
    return true;
  }

  /** Takes out a request that waits no longer. */
  leave(waiter: Waiter): void {
    const rest = this.#flows.get(waiter.flow)?.filter((one) => one !== waiter) ?? [];
    if (rest.length > 0) this.#flows.set(waiter.flow, rest);
    else this.#flows.delete(waiter.flow);
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

  #run({ start }: Waiter): void {
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
