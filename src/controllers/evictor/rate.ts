import type { Clock } from '../../observe/index.ts';

/** Spaces evictions in time, so that a fleet that fails does not move everything at once. Each binding gets a turn and keeps it. */
export class EvictionRate {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #every: number;
  readonly #turns = new Map<string, number>();
  #next = 0;

  constructor(clock: Pick<Clock, 'now'>, perSecond: number) {
    this.#clock = clock;
    this.#every = 1000 / perSecond;
  }

  /** Milliseconds until the turn of a binding; 0 when it has come, and then it is used up. */
  wait(key: string): number {
    const now = this.#clock.now();
    const turn = this.#turns.get(key) ?? Math.max(now, this.#next);
    if (!this.#turns.has(key)) this.#next = turn + this.#every;
    if (turn > now) {
      this.#turns.set(key, turn);
      return turn - now;
    }
    this.#turns.delete(key);
    return 0;
  }

  /** Gives up the turn of a binding that needs none any more. */
  forget(key: string): void {
    this.#turns.delete(key);
  }

  /** How many bindings wait for their turn. */
  get waiting(): number {
    return this.#turns.size;
  }
}
