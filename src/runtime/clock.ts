import type { Clock } from '../observe/index.ts';

interface Alarm {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that goes only when it is told to. */
export class ManualClock implements Clock {
  #now: number;
  readonly #alarms = new Set<Alarm>();

  constructor(now: number = Date.parse('2026-01-01T00:00:00Z')) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const alarm = { at: this.#now + Math.max(0, milliseconds), callback };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  /** How many timers are set. */
  get alarms(): number {
    return this.#alarms.size;
  }

  /** Goes on by so much and runs every timer that is due on the way, each at its own time. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#alarms.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }

  #next(end: number): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms) if (alarm.at <= end && (!first || alarm.at < first.at)) first = alarm;
    return first;
  }
}
