import type { KubeObject } from '../../api/index.ts';
import type { Entry } from '../../store/index.ts';
import type { HubParts } from '../call.ts';
import { isConflict } from '../storage/write-conflict.ts';
import { resourcePrefix } from '../storage/object-keys.ts';

const events = { group: '', plural: 'events' };
const lifetime = 60 * 60 * 1000;
const sweepEvery = 30 * 1000;
/** Number of events that are kept at most: all of them are in memory, and in a busy hour they would be most of it. */
const mostKept = 20_000;
/** Number of events that are removed at a time; then everybody else gets a turn. */
const together = 64;

/** The parts of an Event that say when it was last seen. */
interface StoredEvent extends KubeObject {
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly lastObservedTime?: string };
}

/**
 * Events are forgotten an hour after they were last written, as a real API server does, and the oldest sooner when there
 * are too many. They are records, not state: nobody is asked and no finalizer is waited for.
 */
export class Expiry {
  readonly #parts: HubParts;
  readonly #onError: (error: unknown) => void;
  readonly #most: number;
  #cancel: () => void = () => {};
  #closed = false;

  constructor(parts: HubParts, onError: (error: unknown) => void, most = mostKept) {
    this.#parts = parts;
    this.#onError = onError;
    this.#most = most;
    this.#later();
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  /** Removes what has expired by now, and what is too much. */
  async sweep(): Promise<void> {
    const gone = this.#outdated();
    for (let i = 0; i < gone.length && !this.#closed; i += together) {
      await Promise.all(gone.slice(i, i + together).map((entry) => this.#remove(entry)));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** In the order in which they were written: those behind the first that is young and not too many are so, too. */
  #outdated(): readonly Entry[] {
    const { store, clock } = this.#parts;
    const oldest = clock.now() - lifetime;
    const entries = [...store.list(resourcePrefix(events)).entries].sort((a, b) => a.revision - b.revision);
    const surplus = Math.max(0, entries.length - this.#most);
    const young = entries.findIndex(({ plain }, i) => i >= surplus && lastSeen(plain as StoredEvent) >= oldest);
    return young < 0 ? entries : entries.slice(0, young);
  }

  async #remove({ key, revision, plain }: Entry): Promise<void> {
    try {
      await this.#parts.store.write({ verb: 'delete', key, revision, value: stamped(plain as KubeObject) });
    } catch (error) {
      // It was seen again meanwhile, or is gone.
      if (!isConflict(error)) throw error;
    }
  }

  #later(): void {
    this.#cancel = this.#parts.clock.after(sweepEvery, () => {
      this.sweep()
        .catch(this.#onError)
        .finally(() => {
          if (!this.#closed) this.#later();
        })
        .catch(this.#onError);
    });
  }
}

/** The last state that watchers see carries the revision of the deletion. */
function stamped(event: KubeObject): (revision: number) => object {
  return (revision) => ({ ...event, metadata: { ...event.metadata, resourceVersion: String(revision) } });
}

function lastSeen({ metadata, lastTimestamp, eventTime, series }: StoredEvent): number {
  const times = [metadata.creationTimestamp, lastTimestamp, eventTime, series?.lastObservedTime];
  return Math.max(...times.map((time) => (time ? Date.parse(time) : 0)));
}
