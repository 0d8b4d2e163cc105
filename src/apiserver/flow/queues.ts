import { fnv32a } from '../../base/index.ts';
import type { PriorityLevel } from './levels.ts';

/** A request that waits for its seats, or for its turn. */
export interface Waiter {
  readonly flow: string;
  readonly width: number;
  /** Called when it may run; where turns are taken, with what ends its turn. */
  readonly start: (end?: () => void) => void;
}

interface Queue {
  readonly waiting: Waiter[];
  /** Seats that were given to it, in virtual time: the queue with the least is next. */
  served: number;
}

/**
 * The seats of one priority level and the queues before them.
 * Guarantees: never more seats in use than there are, but a request wider than all of them runs alone; a flow waits in the
 * shortest of a few queues that its name chooses; queues are served by the seats that they have had, so that a flow with a
 * thousand requests does not delay one with a single request.
 */
export class SeatQueues {
  readonly seats: number;
  readonly #level: PriorityLevel;
  readonly #queues: readonly Queue[];
  #used = 0;
  #waiting = 0;
  #virtual = 0;

  constructor(level: PriorityLevel, seats: number) {
    this.#level = level;
    this.seats = seats;
    this.#queues = Array.from({ length: level.queues }, () => ({ waiting: [], served: 0 }));
  }

  get used(): number {
    return this.#used;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Takes seats if they are free and nobody waits for them. */
  take(width: number): boolean {
    if (this.#waiting > 0 || !this.#fits(width)) return false;
    this.#used += width;
    return true;
  }

  /** Lets a request wait; false when its queues are full. */
  enqueue(waiter: Waiter): boolean {
    const queue = this.#queueOf(waiter.flow);
    if (!queue || queue.waiting.length >= this.#level.queueLength) return false;
    if (queue.waiting.length === 0) queue.served = Math.max(queue.served, this.#virtual);
    queue.waiting.push(waiter);
    this.#waiting++;
    this.#dispatch();
    return true;
  }

  /** Takes out a request that waits no longer. */
  leave(waiter: Waiter): void {
    for (const { waiting } of this.#queues) {
      const at = waiting.indexOf(waiter);
      if (at < 0) continue;
      waiting.splice(at, 1);
      this.#waiting--;
      return;
    }
  }

  /** Gives seats back. */
  release(width: number): void {
    this.#used -= width;
    this.#dispatch();
  }

  #fits(width: number): boolean {
    return this.#used === 0 || this.#used + width <= this.seats;
  }

  #dispatch(): void {
    while (this.#waiting > 0) {
      const queue = this.#next();
      const first = queue?.waiting[0];
      if (!queue || !first || !this.#fits(first.width)) return;
      queue.waiting.shift();
      this.#waiting--;
      this.#used += first.width;
      this.#virtual = queue.served;
      queue.served += first.width;
      first.start();
    }
  }

  #next(): Queue | undefined {
    let best: Queue | undefined;
    for (const queue of this.#queues) {
      if (queue.waiting.length > 0 && (!best || queue.served < best.served)) best = queue;
    }
    return best;
  }

  #queueOf(flow: string): Queue | undefined {
    let best: Queue | undefined;
    for (let i = 0; i < this.#level.handSize; i++) {
      const queue = this.#queues[fnv32a(`${i}/${flow}`) % this.#queues.length];
      if (queue && (!best || queue.waiting.length < best.waiting.length)) best = queue;
    }
    return best;
  }
}
