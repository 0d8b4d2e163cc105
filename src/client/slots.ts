/**
 * Lets only so many work at once; the others wait in the order in which they came. The bound is ours and not the
 * connection pool's, because a watch occupies a connection for as long as it lasts.
 */
export class Slots {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #next = 0;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  /** Runs the work as soon as there is a slot. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken++;
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** A freed slot goes straight to the next waiting caller, so that no other slips in between. */
  #release(): void {
    const next = this.#waiting[this.#next];
    if (!next) {
      this.#taken--;
      return;
    }
    this.#next++;
    if (this.#next === this.#waiting.length || this.#next > 1024) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
    next();
  }
}
