import { silentLogger, wallClock } from '../observe/index.ts';
import type { Clock, Logger } from '../observe/index.ts';
import type { Informer } from './informer.ts';
import type { Lease } from './lease.ts';

/** A part of the process that reads the caches and can be stopped, for example a controller. */
export interface Runnable {
  readonly name: string;
  start(): void | Promise<void>;
  stop(withinMilliseconds: number): Promise<void>;
}

/** The options of a supervisor. */
export interface SupervisorOptions {
  readonly informers: readonly Informer[];
  readonly runnables: readonly Runnable[];
  /** With a lease, runnables work only while this process has the lease; caches follow the hub all the time. */
  readonly lease?: Lease;
  /** Called after another process took the lease and the runnables have stopped. */
  readonly onLost?: () => void;
  readonly clock?: Clock;
  readonly log?: Logger;
  /** How long the first look at everything may take. */
  readonly syncMilliseconds?: number;
  /** How long stopping may take in all. */
  readonly stopMilliseconds?: number;
}

/** Some caches were not complete in time; the message names them. */
export class NotSynced extends Error {
  constructor(informers: readonly Informer[]) {
    super(`not everything could be read: ${informers.map((informer) => informer.text).join('; ')}`);
    this.name = 'NotSynced';
  }
}

/**
 * Starts and stops the informers and runnables of a process.
 * Guarantees: no runnable starts before every cache is complete; runnables stop before informers; a part that does not stop
 * in time is named and left behind.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #leaving = new AbortController();
  readonly #extraInformers = new Set<Informer>();
  #working = false;
  #leading: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? wallClock;
    this.#log = options.log ?? silentLogger;
  }

  /** Tells whether the runnables work. */
  get working(): boolean {
    return this.#working;
  }

  /** One line per informer, for health pages. */
  get texts(): readonly string[] {
    return [...this.#options.informers, ...this.#extraInformers].map((informer) => informer.text);
  }

  /** Resolves when every cache is complete and the runnables work or wait for the lease. */
  async start(): Promise<void> {
    const { informers, lease } = this.#options;
    for (const informer of informers) informer.start();
    await this.#untilSynced();
    if (this.#leaving.signal.aborted) return;
    if (!lease) {
      await this.#begin();
      return;
    }
    this.#leading = lease.run({ onLead: () => this.#begin(), onLost: () => this.#lost() }, this.#leaving.signal);
  }

  /** Starts one more informer, for example when a kind appears. */
  async follow(informer: Informer): Promise<void> {
    this.#extraInformers.add(informer);
    informer.start();
    await informer.synced;
  }

  /** Stops an informer that `follow` started. */
  async unfollow(informer: Informer): Promise<void> {
    this.#extraInformers.delete(informer);
    await informer.stop();
  }

  /** Stops everything; answers with the names of those that did not stop in time. */
  async stop(): Promise<readonly string[]> {
    const { stopMilliseconds = 4_000, informers } = this.#options;
    const late = new Set<string>();
    // Runnables get most of the time. The lease and the informers only have to end requests.
    await this.#bounded(stopMilliseconds * 0.7, late, this.#stopRunnables(stopMilliseconds / 2));
    this.#working = false;
    this.#leaving.abort(new Error('the process stops'));
    const rest: [string, Promise<unknown>][] = [...informers, ...this.#extraInformers].map((informer) => [
      informer.name,
      informer.stop(),
    ]);
    if (this.#leading) rest.push(['lease', this.#leading]);
    await this.#bounded(stopMilliseconds * 0.3, late, rest);
    if (late.size > 0) this.#log.warn('did not stop in time', { names: [...late] });
    return [...late];
  }

  #stopRunnables(within: number): [string, Promise<unknown>][] {
    return this.#working ? this.#options.runnables.map((runnable) => [runnable.name, runnable.stop(within)]) : [];
  }

  async #begin(): Promise<void> {
    this.#working = true;
    for (const runnable of this.#options.runnables) await runnable.start();
  }

  /** A stopped queue cannot start again: to lead again, make a new supervisor or a new process. */
  async #lost(): Promise<void> {
    if (this.#leaving.signal.aborted) return;
    const late = new Set<string>();
    const within = this.#options.stopMilliseconds ?? 4_000;
    await this.#bounded(within, late, this.#stopRunnables(within / 2));
    this.#working = false;
    this.#leaving.abort(new Error('the lease is lost'));
    this.#options.onLost?.();
  }

  async #untilSynced(): Promise<void> {
    const { informers, syncMilliseconds = 60_000 } = this.#options;
    const missing = new Set(informers);
    const all = informers.map((informer) => informer.synced.then(() => missing.delete(informer)));
    const { signal } = this.#leaving;
    const left = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await this.#within(syncMilliseconds, Promise.race([Promise.all(all), left]));
    if (missing.size > 0 && !signal.aborted) throw new NotSynced([...missing]);
  }

  async #bounded(milliseconds: number, late: Set<string>, all: readonly [string, Promise<unknown>][]): Promise<void> {
    for (const [name] of all) late.add(name);
    const done = all.map(([name, ending]) =>
      ending.then(
        () => late.delete(name),
        (error: unknown) => {
          late.delete(name);
          this.#log.error('failed to stop cleanly', { name, error });
        },
      ),
    );
    await this.#within(milliseconds, Promise.all(done));
  }

  /** Waits for the work, but not longer. */
  #within(milliseconds: number, work: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(milliseconds, resolve);
      void work.then(() => {
        cancel();
        resolve();
      });
    });
  }
}
