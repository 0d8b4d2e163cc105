import type { Clock } from '../../observe/index.ts';

/** The parts that a queue needs. */
export interface QueueOptions {
  readonly clock: Clock;
  readonly work: (key: string) => Promise<void>;
  /** Told of every failure; the key is tried again after a pause that doubles. */
  readonly onError: (error: unknown) => void;
}

const workers = 16;
/** Most looks find nothing to do and wait for nobody; after so many milliseconds of them everybody else gets a turn. */
const longestTurn = 8;
const firstPause = 50;
const longestPause = 60_000;

/**
 * Keys that need a look. Level-triggered: a key that is added while it is looked at is looked at once more.
 * Guarantees: never two looks at one key at a time; nothing begins after close().
 */
export class KeyQueue {
  readonly #options: QueueOptions;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #pauses = new Map<string, () => void>();
  #idle: (() => void)[] = [];
  #closed = false;
  #turnSince = 0;
  #breath: Promise<void> | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#closed) return;
    this.#waiting.add(key);
    this.#next();
  }

  /** Resolves when nothing waits, runs or is to be tried again. */
  settled(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    for (const cancel of this.#pauses.values()) cancel();
    this.#pauses.clear();
  }

  #isIdle(): boolean {
    return this.#waiting.size + this.#running.size + this.#pauses.size === 0;
  }

  #next(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= workers) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#look(key);
    }
  }

  async #look(key: string): Promise<void> {
    try {
      await this.#options.work(key);
      this.#failures.delete(key);
    } catch (error) {
      if (!this.#closed) this.#failed(key, error);
    }
    if (performance.now() - this.#turnSince >= longestTurn) await this.#breathe();
    this.#running.delete(key);
    this.#next();
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** One breath for all workers: a turn each would make it many times as long. */
  #breathe(): Promise<void> {
    this.#breath ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#breath = undefined;
        this.#turnSince = performance.now();
        resolve();
      });
    });
    return this.#breath;
  }

  #failed(key: string, error: unknown): void {
    this.#options.onError(error);
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const pause = Math.min(longestPause, firstPause * 2 ** (failures - 1));
    this.#pauses.get(key)?.();
    const cancel = this.#options.clock.after(pause, () => {
      this.#pauses.delete(key);
      this.add(key);
    });
    this.#pauses.set(key, cancel);
  }
}
