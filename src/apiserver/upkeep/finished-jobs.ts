import { hasReason } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import type { HubParts } from '../call.ts';
import { backgroundDeletion } from '../verbs/delete-options.ts';
import { internalCall } from './own-call.ts';
import { partsOfKey, resourcePrefix } from '../storage/object-keys.ts';
import { removeWith } from '../verbs/delete.ts';
import { followAll } from './follow.ts';
import { KeyWorkers } from './key-workers.ts';

/** Timers cannot wait for longer than some weeks; after a day it is looked at again. */
const longestWait = 24 * 60 * 60 * 1000;

interface Job extends KubeObject {
  readonly spec?: { readonly ttlSecondsAfterFinished?: number };
  readonly status?: { readonly conditions?: readonly JobCondition[] };
}

interface JobCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

/** When a Job that asks for it is to go; undefined while it runs, and for those that stay. */
function dueTime({ spec, status }: Job): number | undefined {
  const seconds = spec?.ttlSecondsAfterFinished;
  const over = status?.conditions?.find(
    (one) => (one.type === 'Complete' || one.type === 'Failed') && one.status === 'True',
  );
  if (typeof seconds !== 'number' || !over?.lastTransitionTime) return undefined;
  return Date.parse(over.lastTransitionTime) + seconds * 1000;
}

/**
 * Deletes Jobs when the time that they give themselves after their end is over (`ttlSecondsAfterFinished`). In members of a control
 * plane the Job itself must not go, or it would be put back and run again: its template goes, and takes it along.
 */
export class FinishedJobs {
  readonly #parts: HubParts;
  readonly #queue: KeyWorkers;
  readonly #alarms = new Map<string, () => void>();
  readonly #stop: () => void;

  constructor(parts: HubParts, onError: (error: unknown) => void) {
    this.#parts = parts;
    this.#queue = new KeyWorkers({ clock: parts.clock, work: (key) => this.#look(key), onError });
    const follower = {
      reset: () => this.#silence(),
      change: ({ key }: { readonly key: string }) => this.#queue.add(key),
      concerns: () => true,
    };
    this.#stop = followAll(parts.store, follower, resourcePrefix({ group: 'batch', plural: 'jobs' }));
  }

  close(): void {
    this.#stop();
    this.#queue.close();
    this.#silence();
  }

  #silence(): void {
    for (const cancel of this.#alarms.values()) cancel();
    this.#alarms.clear();
  }

  async #look(key: string): Promise<void> {
    this.#alarms.get(key)?.();
    this.#alarms.delete(key);
    const job = this.#parts.store.get(key)?.value as Job | undefined;
    const due = job && !job.metadata.deletionTimestamp ? dueTime(job) : undefined;
    if (!job || due === undefined) return;
    const wait = due - this.#parts.clock.now();
    if (wait <= 0) return this.#remove(key, job.metadata.uid ?? '');
    this.#alarms.set(
      key,
      this.#parts.clock.after(Math.min(wait, longestWait), () => this.#queue.add(key)),
    );
  }

  async #remove(key: string, uid: string): Promise<void> {
    const [kind, place] = [this.#parts.catalog().byResource('batch', 'v1', 'jobs'), partsOfKey(key)];
    if (!kind || !place) return;
    try {
      await removeWith(internalCall(this.#parts, kind, place), { ...backgroundDeletion, preconditions: { uid } });
    } catch (error) {
      // Gone, made again, or protected: whatever changes that lets us look again.
      if (!(['NotFound', 'Conflict', 'Forbidden'] as const).some((reason) => hasReason(error, reason))) throw error;
    }
  }
}
