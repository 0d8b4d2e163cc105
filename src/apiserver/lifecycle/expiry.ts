import type { KubeObject } from '../../api/index.ts';
import type { HubParts } from '../call.ts';
import { isConflict } from '../conflict.ts';
import { resourcePrefix } from '../keys.ts';

const events = { group: '', plural: 'events' };
const lifetime = 60 * 60 * 1000;
const sweepEvery = 5 * 60 * 1000;

/** The parts of an Event that say when it was last seen. */
interface StoredEvent extends KubeObject {
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly lastObservedTime?: string };
}

/**
 * Events are forgotten an hour after they were last seen, as a real API server does.
 * They are records, not state: nobody is asked and no finalizer is waited for.
 */
export class Expiry {
  readonly #parts: HubParts;
  readonly #onError: (error: unknown) => void;
  #cancel: () => void = () => {};
  #closed = false;

  constructor(parts: HubParts, onError: (error: unknown) => void) {
    this.#parts = parts;
    this.#onError = onError;
    this.#later();
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  /** Removes what has expired by now. */
  async sweep(): Promise<void> {
    const { store, clock } = this.#parts;
    const oldest = clock.now() - lifetime;
    for (const { key, revision, value } of store.list(resourcePrefix(events)).entries) {
      if (this.#closed) return;
      if (lastSeen(value as StoredEvent) >= oldest) continue;
      try {
        await store.write({ verb: 'delete', key, revision, value: stamped(value as KubeObject) });
      } catch (error) {
        // It was seen again meanwhile, or is gone.
        if (!isConflict(error)) throw error;
      }
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
