/** Who goes first: a user's edit before what follows from it, and that before what is only looked at again. */
export type Priority = 'high' | 'normal' | 'low';

export const priorities: readonly Priority[] = ['high', 'normal', 'low'];

/** Takes the oldest of a set without walking over what was taken before: the iterator stays where it is. */
class Lane {
  readonly #keys = new Map<string, number>();
  #iterator: Iterator<[string, number]> | undefined;
  /** How often others were served while somebody waited here. */
  passedOver = 0;

  get size(): number {
    return this.#keys.size;
  }

  add(key: string, since: number): void {
    this.#keys.set(key, since);
  }

  delete(key: string): number | undefined {
    const since = this.#keys.get(key);
    this.#keys.delete(key);
    return since;
  }

  take(): readonly [key: string, since: number] | undefined {
    while (this.#keys.size > 0) {
      this.#iterator ??= this.#keys.entries();
      const next = this.#iterator.next();
      if (next.done) {
        this.#iterator = undefined;
        continue;
      }
      this.#keys.delete(next.value[0]);
      return next.value;
    }
    this.#iterator = undefined;
    return undefined;
  }
}

/** How many keys of better lanes may be served before one of a worse lane is. */
const patience: Readonly<Record<Priority, number>> = { high: Infinity, normal: 8, low: 16 };

/**
 * Keys that wait for a worker, each in one lane.
 * Guarantees: within a lane the order of arrival; a better lane first, but no lane is passed over for ever.
 */
export class Lanes {
  readonly #lanes: Readonly<Record<Priority, Lane>> = { high: new Lane(), normal: new Lane(), low: new Lane() };
  readonly #where = new Map<string, Priority>();

  get size(): number {
    return this.#where.size;
  }

  sizeOf(priority: Priority): number {
    return this.#lanes[priority].size;
  }

  /** False when the key waits already, in this lane or a better one; in a worse one it changes over and keeps its age. */
  add(key: string, priority: Priority, now: number): boolean {
    const present = this.#where.get(key);
    if (present === undefined) {
      this.#where.set(key, priority);
      this.#lanes[priority].add(key, now);
      return true;
    }
    if (priorities.indexOf(priority) < priorities.indexOf(present)) {
      const since = this.#lanes[present].delete(key);
      this.#where.set(key, priority);
      this.#lanes[priority].add(key, since ?? now);
    }
    return false;
  }

  /** The key to serve next, since when it waits, and the lane it comes from. */
  take(): { readonly key: string; readonly since: number; readonly priority: Priority } | undefined {
    const priority = this.#turn();
    if (!priority) return undefined;
    const [key, since] = this.#lanes[priority].take() ?? ['', 0];
    this.#where.delete(key);
    this.#lanes[priority].passedOver = 0;
    for (const other of priorities.slice(priorities.indexOf(priority) + 1)) {
      if (this.#lanes[other].size > 0) this.#lanes[other].passedOver++;
    }
    return { key, since, priority };
  }

  #turn(): Priority | undefined {
    let first: Priority | undefined;
    for (const priority of priorities) {
      const lane = this.#lanes[priority];
      if (lane.size === 0) continue;
      if (lane.passedOver >= patience[priority]) return priority;
      first ??= priority;
    }
    return first;
  }
}
