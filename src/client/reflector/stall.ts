import type { Clock } from '../../observe/index.ts';

/** Ends a watch on which nothing comes any more, that is no longer trusted, or whose owner stops. */
export class Stall {
  readonly #clock: Clock;
  readonly #patience: number;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  #last: number;
  #cancel: () => void;
  stalled = false;
  /** It was ended before its time, on request. */
  isCut = false;

  constructor(clock: Clock, patience: number, outer: AbortSignal) {
    this.#clock = clock;
    this.#patience = patience;
    this.#outer = outer;
    this.#last = clock.now();
    this.#cancel = clock.after(patience, this.#look);
    outer.addEventListener('abort', this.#stop);
    if (outer.aborted) this.#stop();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something came. Only the time is noted: a timer for every event would cost more than the event. */
  seen(): void {
    this.#last = this.#clock.now();
  }

  cut(): void {
    this.isCut = true;
    this.#controller.abort(new Error('the watch starts again'));
  }

  close(): void {
    this.#cancel();
    this.#outer.removeEventListener('abort', this.#stop);
  }

  readonly #look = (): void => {
    const left = this.#last + this.#patience - this.#clock.now();
    if (left > 0) {
      this.#cancel = this.#clock.after(left, this.#look);
      return;
    }
    this.stalled = true;
    this.#controller.abort(new Error('the watch has stalled'));
  };

  readonly #stop = (): void => this.#controller.abort(this.#outer.reason);
}
