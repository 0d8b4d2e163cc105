/** Deterministic choices: the same seed gives the same sequence on every machine. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number in [0, below). */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the values; the list must not be empty. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

/** The seed of one request of a run: the run's seed and the number of the request, mixed. */
export function seedOf(run: number, request: number): number {
  let mixed = Math.imul(run ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(request + 1, 0xc2b2ae35);
  mixed ^= mixed >>> 16;
  mixed = Math.imul(mixed, 0x7feb352d);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
