/** The work of a loop, and the receiver of its failures. */
export interface WakingOptions {
  readonly work: () => Promise<void>;
  /** Called with every failure; the work is tried again a little later. */
  readonly onError: (error: unknown) => void;
  readonly retryAfter?: number;
  /** Called once when it stops. */
  readonly onStop?: () => void;
}

const defaultRetry = 1000;

/**
 * Work that is done again whenever something it depends on has changed, never twice at a time.
 * Level-triggered: any number of wakes while the work goes on lead to one more round.
 */
export class Waking {
  readonly #options: WakingOptions;
  #due = false;
  #stopped = false;
  #running: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: WakingOptions) {
    this.#options = options;
  }

  wake(): void {
    this.#due = true;
    this.#running ??= Promise.resolve()
      .then(() => this.#rounds())
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Resolves when nothing is left to do. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** No round begins after this; one that goes on is not cut off. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#retry);
    this.#options.onStop?.();
  }

  async #rounds(): Promise<void> {
    while (this.#due && !this.#stopped) {
      this.#due = false;
      await this.#round();
    }
  }

  async #round(): Promise<void> {
    try {
      await this.#options.work();
    } catch (error) {
      if (this.#stopped) return;
      this.#options.onError(error);
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.wake(), this.#options.retryAfter ?? defaultRetry).unref();
    }
  }
}
