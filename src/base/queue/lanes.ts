/** Priority of a key: a user's edit is high, its consequences are normal, a periodic check is low. */
export type Priority = 'high' | 'normal' | 'low';

export const priorities: readonly Priority[] = ['high', 'normal', 'low'];

/** A first-in-first-out set. The iterator stays in place, so that taking does not walk over entries taken before. */
class Lane {
  readonly #keys = new Map<string, number>();
  #iterator: Iterator<[string, number]> | undefined;
  /** How often a better lane was served while keys waited here. */
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

/** Number of keys that better lanes may serve before this lane gets a turn, in the order of `priorities`. */
const patience: readonly number[] = [Infinity, 8, 16];

/** The rank of a priority; 0 is the best. */
export function rankOf(priority: Priority): number {
  return priority === 'high' ? 0 : priority === 'normal' ? 1 : 2;
}

/**
 * Keys that wait for a worker, each in one lane.
 * Guarantees: first in, first out within a lane; better lanes first; no lane is starved.
 */
export class Lanes {
  readonly #lanes: readonly Lane[] = priorities.map(() => new Lane());
  readonly #where = new Map<string, number>();

  get size(): number {
    return this.#where.size;
  }

  sizeOf(priority: Priority): number {
    return this.#lanes[rankOf(priority)]?.size ?? 0;
  }

  /** Adds a key; false when it waits already in this lane or a better one. From a worse lane it moves here and keeps its age. */
  add(key: string, priority: Priority, now: number): boolean {
    const rank = rankOf(priority);
    const present = this.#where.get(key);
    if (present !== undefined && present <= rank) return false;
    const since = present === undefined ? now : this.#lanes[present]?.delete(key);
    this.#where.set(key, rank);
    this.#lanes[rank]?.add(key, since ?? now);
    return present === undefined;
  }

  /** Removes and returns the next key, from the given lane or from the lane whose turn it is. */
  take(only?: Priority): { readonly key: string; readonly since: number; readonly priority: Priority } | undefined {
    const rank = only === undefined ? this.#turn() : rankOf(only);
    const lane = this.#lanes[rank];
    const next = lane?.take();
    if (!lane || !next) return undefined;
    const [key, since] = next;
    this.#where.delete(key);
    lane.passedOver = 0;
    for (let worse = rank + 1; worse < this.#lanes.length; worse++) {
      const other = this.#lanes[worse];
      if (other && other.size > 0) other.passedOver++;
    }
    return { key, since, priority: priorities[rank] ?? 'low' };
  }

  /** The rank of the lane whose turn it is; -1 when all are empty. */
  #turn(): number {
    let first = -1;
    for (let rank = 0; rank < this.#lanes.length; rank++) {
      const lane = this.#lanes[rank];
      if (!lane || lane.size === 0) continue;
      if (lane.passedOver >= (patience[rank] ?? 0)) return rank;
      if (first < 0) first = rank;
    }
    return first;
  }
}
