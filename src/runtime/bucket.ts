/** Lets a number of calls through at once, and then one every so many milliseconds. */
export class Bucket {
  readonly #burst: number;
  readonly #refillMilliseconds: number;
  #tokens: number;
  #at: number;

  constructor({ burst, refillMilliseconds, now }: { burst: number; refillMilliseconds: number; now: number }) {
    this.#burst = burst;
    this.#refillMilliseconds = refillMilliseconds;
    this.#tokens = burst;
    this.#at = now;
  }

  take(now: number): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) / this.#refillMilliseconds);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
