/** Priority of a key: a user's edit is high, its consequences are normal, a periodic check is low. */
export type Priority = 'high' | 'normal' | 'low';

/** The priorities, the best first. */
export const priorities: readonly Priority[] = ['high', 'normal', 'low'];

/** A first-in-first-out set. The iterator stays in place, so that taking does not walk over entries taken before. */
class Level {
  readonly #keys = new Map<string, number>();
  #iterator: Iterator<[string, number]> | undefined;

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

/** The keys of one lane: those of a higher level go first, and first in, first out within a level. */
class Lane {
  readonly #levels = new Map<number, Level>();
  /** The numbers of the levels, the highest first. */
  #order: readonly number[] = [];
  size = 0;
  /** How often a better lane was served while keys waited here. */
  passedOver = 0;

  add(key: string, level: number, since: number): void {
    let found = this.#levels.get(level);
    if (!found) {
      this.#levels.set(level, (found = new Level()));
      this.#order = [...this.#levels.keys()].sort((a, b) => b - a);
    }
    found.add(key, since);
    this.size++;
  }

  delete(key: string, level: number): number | undefined {
    const since = this.#levels.get(level)?.delete(key);
    if (since !== undefined) this.size--;
    return since;
  }

  take(): readonly [key: string, since: number] | undefined {
    for (const level of this.#order) {
      const next = this.#levels.get(level)?.take();
      if (!next) continue;
      this.size--;
      return next;
    }
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
  /** The lane and the level in which a key waits. */
  readonly #where = new Map<string, { readonly rank: number; readonly level: number }>();

  get size(): number {
    return this.#where.size;
  }

  sizeOf(priority: Priority): number {
    return this.#lanes[rankOf(priority)]?.size ?? 0;
  }

  /**
   * Adds a key; false when it waits already. It moves to a better lane, or to another level of its lane, and keeps its
   * age; to a worse lane it never moves.
   */
  add(key: string, priority: Priority, { now, level }: { readonly now: number; readonly level: number }): boolean {
    const present = this.#where.get(key);
    const rank = present ? Math.min(rankOf(priority), present.rank) : rankOf(priority);
    if (present?.rank === rank && present.level === level) return false;
    const since = present && this.#lanes[present.rank]?.delete(key, present.level);
    this.#where.set(key, { rank, level });
    this.#lanes[rank]?.add(key, level, since ?? now);
    return !present;
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
