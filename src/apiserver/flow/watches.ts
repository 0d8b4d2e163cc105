import { tooManyRequests } from '../../api/index.ts';

/** The watches that each user has open. */
export class WatchCount {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one more; throws 429 when the user has as many as one may have. Returns what ends it. */
  enter(user: string): () => void {
    const before = this.#open.get(user) ?? 0;
    if (before >= this.#most) {
      throw tooManyRequests(`user ${JSON.stringify(user)} has ${before} watches open, which is the most`, 10);
    }
    this.#open.set(user, before + 1);
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      const left = (this.#open.get(user) ?? 1) - 1;
      if (left > 0) this.#open.set(user, left);
      else this.#open.delete(user);
    };
  }
}
