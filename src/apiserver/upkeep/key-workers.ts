import { WorkQueue } from '../../base/index.ts';
import type { Clock } from '../../observe/index.ts';

/** The parts that the workers need. */
export interface KeyWorkersOptions {
  readonly clock: Clock;
  readonly work: (key: string) => Promise<void>;
  /** Called with every failure; the key is tried again after a pause that doubles. */
  readonly onError: (error: unknown) => void;
}

const workers = 16;
/** Most looks find nothing to do and wait for nobody; after so many milliseconds of them everybody else gets a turn. */
const longestTurn = 8;

/**
 * Workers that look at keys. Level-triggered: a key that is added while it is looked at is looked at once more.
 * Guarantees: never two looks at one key at a time; nothing begins after close().
 */
export class KeyWorkers {
  readonly #options: KeyWorkersOptions;
  readonly #queue: WorkQueue;
  #idle: (() => void)[] = [];
  #closed = false;
  #turnSince = 0;
  #breath: Promise<void> | undefined;

  constructor(options: KeyWorkersOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      clock: options.clock,
      random: Math.random,
      baseMilliseconds: 50,
      longestMilliseconds: 60_000,
      onRest: () => this.#rest(),
    });
    for (let i = 0; i < workers; i++) void this.#work();
  }

  add(key: string): void {
    this.#queue.add(key);
  }

  /** Resolves when nothing waits, runs or is to be tried again. */
  settled(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  close(): void {
    this.#closed = true;
    void this.#queue.stop();
  }

  #isIdle(): boolean {
    return this.#queue.size + this.#queue.active + this.#queue.waiting === 0;
  }

  #rest(): void {
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #work(): Promise<void> {
    for (let key = await this.#queue.take(); key !== undefined; key = await this.#queue.take()) {
      await this.#look(key);
      if (performance.now() - this.#turnSince >= longestTurn) await this.#breathe();
      this.#queue.done(key);
    }
  }

  async #look(key: string): Promise<void> {
    try {
      await this.#options.work(key);
      this.#queue.forget(key);
    } catch (error) {
      if (this.#closed) return;
      this.#options.onError(error);
      this.#queue.addLimited(key);
    }
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
}
