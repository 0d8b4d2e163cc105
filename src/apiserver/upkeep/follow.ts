import type { KubeObject } from '../../api/index.ts';
import type { Entry, Store, StoreEvent, Watch } from '../../store/index.ts';
import { registry } from '../storage/object-keys.ts';

/** One change of one object; either side is absent when it did not exist. */
export interface StoredChange {
  readonly key: string;
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

/** Receives the changes of the store that concern it. */
export interface Follower {
  /** Everything is reported again: forget what was known. */
  readonly reset: () => void;
  readonly change: (change: StoredChange) => void;
  /**
   * Tells whether a state of an object matters beyond the existence of the object. Most cannot. It may say yes too
   * often. Of a `fresh` one, which was just written, the value is at hand; of others the bytes alone, and parsing
   * costs.
   */
  readonly concerns: (entry: Entry, fresh: boolean) => boolean;
}

/**
 * Tells of all objects under a prefix that concern the follower, then of every change that does, and of every deletion; the returned
 * function ends it.
 */
export function followAll(store: Store, follower: Follower, prefix = registry): () => void {
  let watch: Watch | undefined;
  let open = true;
  const start = (): void => {
    if (!open) return;
    follower.reset();
    const told = new Set<string>();
    const { entries, revision } = store.list(prefix);
    for (const entry of entries) {
      if (!follower.concerns(entry, false)) continue;
      told.add(entry.key);
      follower.change({ key: entry.key, after: entry.value as KubeObject });
    }
    watch = store.watch(prefix, revision, {
      onEvents: (events) => {
        for (const event of events) if (isTold(event, follower, told)) follower.change(changeOf(event));
      },
      onEnd: (why) => (why === 'compacted' ? start() : undefined),
    });
  };
  start();
  return () => {
    open = false;
    watch?.close();
  };
}

/** Tells whether the follower sees an event. An object that stops concerning it is a change, too. */
function isTold({ type, entry }: StoreEvent, follower: Follower, told: Set<string>): boolean {
  const concerns = type !== 'deleted' && follower.concerns(entry, true);
  const did = told.delete(entry.key);
  if (concerns) told.add(entry.key);
  return concerns || did || type === 'deleted';
}

function changeOf({ type, entry, before }: StoreEvent): StoredChange {
  const object = entry.value as KubeObject;
  if (type === 'deleted') return { key: entry.key, before: object };
  return { key: entry.key, after: object, ...(before && { before: before.value as KubeObject }) };
}
