import { DelayedKeys } from './delayed-keys.ts';
import { Lanes, rankOf } from './lanes.ts';
import type { Priority } from './lanes.ts';

/** The time of a queue: milliseconds since the epoch, and a call after some of them that can be taken back. */
export interface QueueClock {
  now(): number;
  after(milliseconds: number, callback: () => void): () => void;
}

/** The options of a WorkQueue. */
export interface WorkQueueOptions {
  readonly clock: QueueClock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  /** The wait after the first failure of a key; each further one doubles it, up to the longest. */
  readonly baseMilliseconds: number;
  readonly longestMilliseconds: number;
  /** Keys wait while this answers false; call `serve` when it answers true again. */
  readonly isOpen?: (() => boolean) | undefined;
  /** Called whenever nothing waits for a worker any more and nobody works. */
  readonly onRest?: (() => void) | undefined;
  /** The level of a key among those of the same priority: higher ones go first. 0 when absent. */
  readonly levelOf?: ((key: string) => number) | undefined;
  readonly meter?: QueueMeter | undefined;
}

/** Measures a queue. */
export interface QueueMeter {
  added(): void;
  retried(): void;
  taken(priority: Priority, seconds: number): void;
  close(): void;
}

type Taker = (key: string | undefined) => void;

/**
 * Keys that wait to be worked on.
 * Guarantees: a key waits at most once and is never worked on twice at the same time; one that is added while it is
 * worked on waits again when that is done, once; failures of a key make only this key wait longer, with jitter.
 * Flow: add → take → done, with `forget` after success and `addLimited` after failure in between.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #lanes = new Lanes();
  readonly #later = new DelayedKeys();
  readonly #active = new Set<string>();
  /** Keys that were added while they were worked on. */
  readonly #again = new Map<string, Priority>();
  readonly #failures = new Map<string, number>();
  readonly #takers: Taker[] = [];
  /** Workers that take urgent keys only. */
  readonly #urgentTakers: Taker[] = [];
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined;
  #closed = false;
  #onIdle: (() => void)[] = [];

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Keys that wait for a worker; those that wait for their time are not counted. */
  get size(): number {
    return this.#lanes.size + this.#again.size;
  }

  get active(): number {
    return this.#active.size;
  }

  /** Keys that wait for their time. */
  get waiting(): number {
    return this.#later.size;
  }

  sizeOf(priority: Priority): number {
    return this.#lanes.sizeOf(priority);
  }

  /** How often a key has failed in a row. */
  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  add(key: string, priority: Priority = 'normal'): void {
    if (this.#closed) return;
    this.#options.meter?.added();
    if (this.#active.has(key)) {
      const before = this.#again.get(key);
      if (!before || rankOf(priority) < rankOf(before)) this.#again.set(key, priority);
      return;
    }
    if (this.#line(key, priority)) this.serve();
  }

  #line(key: string, priority: Priority): boolean {
    const { clock, levelOf } = this.#options;
    return this.#lanes.add(key, priority, { now: clock.now(), level: levelOf?.(key) ?? 0 });
  }

  addAfter(key: string, milliseconds: number): void {
    this.addAt(key, this.#options.clock.now() + milliseconds);
  }

  /** Adds the key when its time has come; of several times the earliest counts. */
  addAt(key: string, at: number): void {
    if (this.#closed) return;
    if (at <= this.#options.clock.now()) return this.add(key);
    if (this.#later.add(key, at)) this.#setAlarm();
  }

  /** Adds a key that failed when it has waited for its failures; answers for how long. */
  addLimited(key: string): number {
    const { baseMilliseconds, longestMilliseconds, random } = this.#options;
    const failures = this.failures(key) + 1;
    this.#failures.set(key, failures);
    this.#options.meter?.retried();
    const whole = Math.min(longestMilliseconds, baseMilliseconds * 2 ** Math.min(failures - 1, 40));
    const wait = whole * (0.75 + 0.25 * random());
    this.addAfter(key, wait);
    return wait;
  }

  /** The key has succeeded: its failures do not count any more. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /**
   * The next key, or the next that is urgent; undefined when the queue is closed. The worker that takes a key must call
   * `done` with it.
   */
  take(only?: 'high'): Promise<string | undefined> {
    const key = this.#next(only);
    if (key !== undefined) return Promise.resolve(key);
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((resolve) => (only ? this.#urgentTakers : this.#takers).push(resolve));
  }

  done(key: string): void {
    this.#active.delete(key);
    const again = this.#again.get(key);
    if (again) {
      this.#again.delete(key);
      if (this.#line(key, again)) this.serve();
    }
    if (this.#closed) this.#tellIdle();
    if (this.#active.size === 0 && this.#lanes.size === 0) this.#options.onRest?.();
  }

  /** Gives what waits to those who wait for it. */
  serve(): void {
    this.#serve(this.#takers);
    this.#serve(this.#urgentTakers, 'high');
  }

  #serve(takers: Taker[], only?: 'high'): void {
    while (takers.length > 0) {
      const key = this.#next(only);
      if (key === undefined) return;
      takers.shift()?.(key);
    }
  }

  /** Takes nothing more; resolves when all that waited for a worker has been worked on. What waits for its time is dropped. */
  drain(): Promise<void> {
    this.#close();
    this.serve();
    if (this.#lanes.size === 0) this.#dismiss();
    return new Promise((resolve) => {
      this.#onIdle.push(resolve);
      this.#tellIdle();
    });
  }

  /** Takes nothing more and gives nothing more; resolves when what is worked on is done. */
  stop(): Promise<void> {
    this.#close();
    while (this.#lanes.take());
    this.#again.clear();
    this.#dismiss();
    return this.drain();
  }

  #close(): void {
    this.#closed = true;
    this.#later.clear();
    this.#alarm?.cancel();
    this.#alarm = undefined;
    this.#options.meter?.close();
  }

  #dismiss(): void {
    for (const taker of [...this.#takers.splice(0), ...this.#urgentTakers.splice(0)]) taker(undefined);
  }

  #tellIdle(): void {
    if (this.#lanes.size > 0) return;
    this.#dismiss();
    if (this.#active.size > 0) return;
    for (const tell of this.#onIdle.splice(0)) tell();
  }

  #next(only?: 'high'): string | undefined {
    if (this.#lanes.size === 0 || !(this.#closed || (this.#options.isOpen?.() ?? true))) return undefined;
    const next = this.#lanes.take(only);
    if (!next) return undefined;
    this.#active.add(next.key);
    this.#options.meter?.taken(next.priority, (this.#options.clock.now() - next.since) / 1000);
    return next.key;
  }

  #setAlarm(): void {
    const { clock } = this.#options;
    const first = this.#later.first;
    if (first === undefined || (this.#alarm && this.#alarm.at <= first)) return;
    this.#alarm?.cancel();
    this.#alarm = { at: first, cancel: clock.after(first - clock.now(), this.#ring) };
  }

  readonly #ring = (): void => {
    this.#alarm = undefined;
    const now = this.#options.clock.now();
    for (let key = this.#later.take(now); key !== undefined; key = this.#later.take(now)) this.add(key);
    this.#setAlarm();
  };
}
