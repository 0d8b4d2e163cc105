import type { StoreEvent, Watch, Watcher } from './contract.ts';
import type { History } from './history.ts';
import { eventOf } from './version.ts';
import type { Version } from './version.ts';

/** How many changes a late watcher is served before others get their turn. */
const stride = 2000;

interface Follower {
  readonly prefix: string;
  readonly watcher: Watcher;
  /** The last revision it has been shown. */
  seen: number;
  open: boolean;
}

/**
 * The watchers of a store. A follower is either catching up from the log or live, and joins the live ones in the same
 * step in which it has seen everything: so it misses nothing and sees nothing twice.
 */
export class Watches {
  readonly #history: History;
  readonly #live = new Map<string, Set<Follower>>();
  readonly #late = new Set<Follower>();

  constructor(history: History) {
    this.#history = history;
  }

  add(prefix: string, from: number, watcher: Watcher): Watch {
    const follower: Follower = { prefix, watcher, seen: from, open: true };
    if (from === this.#history.revision) this.#join(follower);
    else {
      this.#late.add(follower);
      // Never from within this call: the caller does not have the watch yet.
      queueMicrotask(() => this.#catchUp(follower));
    }
    return { close: () => this.#leave(follower) };
  }

  /** Shows what has just been applied to the history to those who are up to date. */
  publish(versions: readonly Version[]): void {
    const events = versions.map(eventOf);
    const revision = this.#history.revision;
    // A watcher may open watches while it is being served; those have seen this revision and are passed over.
    for (const [prefix, followers] of this.#live) {
      const matching = events.filter((event) => event.entry.key.startsWith(prefix));
      for (const follower of followers) {
        if (follower.seen >= revision) continue;
        follower.seen = revision;
        this.#show(follower, matching);
      }
    }
  }

  /** Ends the watches that still need what compaction has just taken away. */
  compacted(): void {
    for (const follower of this.#late) {
      if (follower.seen < this.#history.compacted) this.#end(follower, 'compacted');
    }
  }

  /** Ends all watches. */
  close(): void {
    for (const follower of this.#late) this.#end(follower, 'closed');
    for (const group of this.#live.values()) for (const follower of group) this.#end(follower, 'closed');
  }

  #catchUp(follower: Follower): void {
    if (!follower.open) return;
    const to = Math.min(this.#history.revision, follower.seen + stride);
    const matching = this.#history.changes(follower.seen, to).filter(({ key }) => key.startsWith(follower.prefix));
    follower.seen = to;
    if (to === this.#history.revision) {
      this.#late.delete(follower);
      this.#join(follower);
    } else setImmediate(() => this.#catchUp(follower));
    this.#show(follower, matching.map(eventOf));
  }

  #show(follower: Follower, events: readonly StoreEvent[]): void {
    if (events.length === 0 || !follower.open) return;
    try {
      follower.watcher.onEvents(events);
    } catch (error) {
      // A watcher's fault is the program's, not the store's: the others are served first.
      this.#leave(follower);
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #join(follower: Follower): void {
    const group = this.#live.get(follower.prefix);
    if (group) group.add(follower);
    else this.#live.set(follower.prefix, new Set([follower]));
  }

  #leave(follower: Follower): void {
    follower.open = false;
    this.#late.delete(follower);
    const group = this.#live.get(follower.prefix);
    group?.delete(follower);
    if (group?.size === 0) this.#live.delete(follower.prefix);
  }

  #end(follower: Follower, why: 'compacted' | 'closed'): void {
    this.#leave(follower);
    follower.watcher.onEnd(why);
  }
}
