/** Things that take their time. They are remembered while they last, by a name that says what of whom. */
export class Waits {
  readonly #due = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds left of what takes so long and began when it was first asked about; 0 once it is over. */
  left(name: string, milliseconds: number): number {
    if (milliseconds <= 0) return 0;
    const known = this.#due.get(name);
    if (known === undefined) {
      this.#due.set(name, this.#now() + milliseconds);
      return milliseconds;
    }
    return Math.max(0, known - this.#now());
  }

  /** Forgets it: asked about again, it starts over. */
  end(name: string): void {
    this.#due.delete(name);
  }
}
