import { silentLogger, wallClock } from '../observe/index.ts';
import type { Clock, Logger } from '../observe/index.ts';
import type { Feed } from './feed.ts';
import type { Lease } from './lease.ts';

/** Something that works from the caches, as a Controller does. */
export interface Hand {
  readonly name: string;
  start(): void | Promise<void>;
  stop(withinMilliseconds: number): Promise<void>;
}

export interface CrewOptions {
  readonly feeds: readonly Feed[];
  readonly hands: readonly Hand[];
  /** With it, hands work only while it is held; caches are kept up to date all the time. */
  readonly lease?: Lease;
  /** Called when another process has taken the lease: hands have stopped by then, and this crew leads no more. */
  readonly onLost?: () => void;
  readonly clock?: Clock;
  readonly log?: Logger;
  /** How long the first look at everything may take. */
  readonly syncMilliseconds?: number;
  /** How long stopping may take in all. */
  readonly stopMilliseconds?: number;
}

/** Not everything was seen in time, and what was missing. */
export class NotSynced extends Error {
  constructor(feeds: readonly Feed[]) {
    super(`not everything could be read: ${feeds.map((feed) => feed.text).join('; ')}`);
    this.name = 'NotSynced';
  }
}

/**
 * All that runs in a process.
 * Guarantees: no hand works before every cache is complete; everything stops within the bound, hands before feeds, and
 * one that does not is named and left behind.
 */
export class Crew {
  readonly #options: CrewOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #leaving = new AbortController();
  readonly #extraFeeds = new Set<Feed>();
  #working = false;
  #leading: Promise<void> | undefined;

  constructor(options: CrewOptions) {
    this.#options = options;
    this.#clock = options.clock ?? wallClock;
    this.#log = options.log ?? silentLogger;
  }

  /** Do the hands work? */
  get working(): boolean {
    return this.#working;
  }

  /** One line a feed, for health pages. */
  get texts(): readonly string[] {
    return [...this.#options.feeds, ...this.#extraFeeds].map((feed) => feed.text);
  }

  /** Resolves when every cache is complete and the hands work, or wait for the lease. */
  async start(): Promise<void> {
    const { feeds, lease } = this.#options;
    for (const feed of feeds) feed.start();
    await this.#untilSynced();
    if (this.#leaving.signal.aborted) return;
    if (!lease) {
      await this.#begin();
      return;
    }
    this.#leading = lease.run({ onLead: () => this.#begin(), onLost: () => this.#lost() }, this.#leaving.signal);
  }

  /** Follows one more collection, as when a kind appears. */
  async follow(feed: Feed): Promise<void> {
    this.#extraFeeds.add(feed);
    feed.start();
    await feed.synced;
  }

  /** Follows it no more. */
  async unfollow(feed: Feed): Promise<void> {
    this.#extraFeeds.delete(feed);
    await feed.stop();
  }

  /** Stops everything; answers with the names of those that did not stop in time. */
  async stop(): Promise<readonly string[]> {
    const { stopMilliseconds = 4_000, feeds } = this.#options;
    const late = new Set<string>();
    // Hands get most of the time; what is left is for the lease and the feeds, which only end requests.
    await this.#bounded(stopMilliseconds * 0.7, late, this.#hands(stopMilliseconds / 2));
    this.#working = false;
    this.#leaving.abort(new Error('the process stops'));
    const rest: [string, Promise<unknown>][] = [...feeds, ...this.#extraFeeds].map((feed) => [feed.name, feed.stop()]);
    if (this.#leading) rest.push(['lease', this.#leading]);
    await this.#bounded(stopMilliseconds * 0.3, late, rest);
    if (late.size > 0) this.#log.warn('did not stop in time', { names: [...late] });
    return [...late];
  }

  #hands(within: number): [string, Promise<unknown>][] {
    return this.#working ? this.#options.hands.map((hand) => [hand.name, hand.stop(within)]) : [];
  }

  async #begin(): Promise<void> {
    this.#working = true;
    for (const hand of this.#options.hands) await hand.start();
  }

  /** A queue that was stopped stays so: whoever wants to lead again makes a new crew, as a new process does. */
  async #lost(): Promise<void> {
    if (this.#leaving.signal.aborted) return;
    const late = new Set<string>();
    const within = this.#options.stopMilliseconds ?? 4_000;
    await this.#bounded(within, late, this.#hands(within / 2));
    this.#working = false;
    this.#leaving.abort(new Error('the lease is lost'));
    this.#options.onLost?.();
  }

  async #untilSynced(): Promise<void> {
    const { feeds, syncMilliseconds = 60_000 } = this.#options;
    const missing = new Set(feeds);
    const all = feeds.map((feed) => feed.synced.then(() => missing.delete(feed)));
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
