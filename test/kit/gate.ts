import { History } from '../../src/store/history.ts';
import type { Store } from '../../src/store/index.ts';
import { LogStore } from '../../src/store/log-store.ts';

const done = (): Promise<void> => Promise.resolve();

/** A disk that can be told to take its time, or to fail. */
export class SlowDisk {
  #held: PromiseWithResolvers<void> | undefined;
  #writing = false;

  /** From now on nothing becomes durable. */
  hold(): void {
    this.#held = Promise.withResolvers();
  }

  /** What waits becomes durable, and so does what follows. */
  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** What waits fails, or what comes next when nothing does; what follows does not. */
  fail(): void {
    const held = this.#held;
    const failure = new Error('no space');
    if (this.#writing) held?.reject(failure);
    this.#held = undefined;
    this.#failure = this.#writing ? undefined : failure;
  }

  #failure: Error | undefined;

  async #append(): Promise<void> {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure;
    this.#writing = true;
    try {
      await this.#held?.promise;
    } finally {
      this.#writing = false;
    }
  }

  /** An empty store on this disk, which tries again a moment after a failure. */
  store(): Store {
    const append = (): Promise<void> => this.#append();
    const journal = { gather: queueMicrotask, append, compact: done, recover: done, backup: done, close: done };
    return new LogStore(new History(), journal, { probeEvery: 5 });
  }
}
