import { timestamp } from '../base/index.ts';
import { ApiError, keyOf, refOf } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { isNotFound } from '../client/index.ts';
import type { ApiClient } from '../client/index.ts';
import { pause, silentLogger, wallClock } from '../observe/index.ts';
import type { Clock, Counter, Logger, Metrics } from '../observe/index.ts';
import { Bucket } from './bucket.ts';
import { Correlator } from './correlator.ts';
import type { Happening, Note } from './correlator.ts';
import type { DeferredWork } from './deferred-work.ts';

export type { Happening } from './correlator.ts';

/** The options of an event recorder. */
export interface EventOptions {
  readonly server: ApiClient;
  /** The source of an event that names none. */
  readonly component: string;
  /** The process, for reportingInstance. */
  readonly instance?: string;
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** Events that may wait to be written; repeats beyond are dropped. */
  readonly mostWaiting?: number;
  /** Events are written while nothing that matters more is under way. */
  readonly giveWay?: DeferredWork;
}

const attempts = 3;
/** Reasons that are new to their objects may wait in such numbers: a bound for memory, beyond what a fleet can say. */
const mostFirsts = 100_000;
/** Number of events that are written at the same time: one after the other they would wake the disk for each. */
const together = 16;
/** An event that is repeated sooner than this is counted later, however often it is repeated meanwhile. */
const repeatMilliseconds = 10_000;
/** Repeats of successes: so many at once, and then fifty a second. Warnings, and a reason that is new to an object, are always written. */
const plenty = { burst: 2_000, refillMilliseconds: 20 };

/**
 * Writes core/v1 Events.
 * Guarantees: `record` never waits and never throws; the first event with a reason about an object is written, whatever
 * else happens at the same time; a repeat within the window is counted on the Event that is there, at once or with
 * whatever more is said within ten seconds of the last time. Bounds apply to repeats. Events only inform: an event that
 * cannot be written after a few attempts is dropped.
 */
export class EventRecorder {
  readonly #options: EventOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #correlator: Correlator;
  readonly #plenty: Bucket;
  readonly #waiting = new Set<Note>();
  /** Events that were written a moment ago and were repeated since, and the function that stops waiting for more. */
  readonly #repeated = new Map<Note, () => void>();
  readonly #abort = new AbortController();
  readonly #counted: (result: string) => Counter;
  #pumping: Promise<void> | undefined;
  #goOn: () => void = () => {};
  #stopping = false;
  #serial = 0;

  constructor(options: EventOptions) {
    this.#options = options;
    this.#clock = options.clock ?? wallClock;
    this.#log = options.log ?? silentLogger;
    this.#correlator = new Correlator(this.#clock);
    this.#plenty = new Bucket({ ...plenty, now: this.#clock.now() });
    const metrics = options.metrics?.counter({
      name: 'sluice_events_total',
      help: 'Events by result: written, counted, dropped.',
      labels: ['result'],
    });
    this.#counted = metrics ?? (() => ({ add: () => {} }));
    options.giveWay?.listen(() => this.#goOn());
  }

  /** Says that something happened to an object. */
  record(about: KubeObject, happening: Happening): void {
    if (this.#abort.signal.aborted) return;
    const component = happening.component ?? this.#options.component;
    const note = this.#correlator.note(about, { ...happening, component });
    if (!note || this.#isTooMuch(note)) return this.#counted('dropped').add();
    this.#tell(note);
  }

  #isTooMuch(note: Note): boolean {
    const most = note.isFirst ? mostFirsts : (this.#options.mostWaiting ?? 1_000);
    return this.#waiting.size >= most && !this.#waiting.has(note);
  }

  #tell(note: Note): void {
    const now = this.#clock.now();
    const wait = note.written === undefined ? 0 : note.written + repeatMilliseconds - now;
    if (wait <= 0) this.#tellNow(note, now);
    else if (!this.#waiting.has(note) && !this.#repeated.has(note)) this.#repeat(note, wait);
  }

  #tellNow(note: Note, now: number): void {
    if (this.#isAlwaysWritten(note) || this.#plenty.take(now)) this.#enqueue(note);
    else this.#counted('dropped').add();
  }

  #isAlwaysWritten(note: Note): boolean {
    return note.isFirst || note.type === 'Warning' || note.event !== undefined || this.#waiting.has(note);
  }

  #enqueue(note: Note): void {
    this.#waiting.add(note);
    this.#pumping ??= this.#pump();
  }

  #repeat(note: Note, wait: number): void {
    const later = (): void => {
      this.#repeated.delete(note);
      this.#enqueue(note);
    };
    this.#repeated.set(note, this.#clock.after(wait, later));
  }

  /** Resolves when all that was recorded is written or dropped. */
  async flush(): Promise<void> {
    for (const [note, cancel] of this.#repeated) {
      cancel();
      this.#enqueue(note);
    }
    this.#repeated.clear();
    await this.#pumping;
  }

  /** Writes what waits, but not longer than this. */
  async stop(withinMilliseconds = 1_000): Promise<void> {
    this.#stopping = true;
    this.#goOn();
    const cancel = this.#clock.after(withinMilliseconds, () => this.#abort.abort(new Error('the recorder stops')));
    await this.flush();
    cancel();
    this.#abort.abort(new Error('the recorder stops'));
  }

  async #pump(): Promise<void> {
    // The caller goes on first: whatever it records in the same breath is counted, not written twice.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      await this.#turn();
      const notes = this.#waiting.values().take(together).toArray();
      for (const note of notes) this.#waiting.delete(note);
      await Promise.all(notes.map((note) => this.#deliver(note)));
      if (this.#abort.signal.aborted) this.#waiting.clear();
    }
    this.#pumping = undefined;
  }

  async #turn(): Promise<void> {
    while (!this.#stopping && this.#options.giveWay?.isOpen() === false) {
      await new Promise<void>((resolve) => (this.#goOn = resolve));
    }
  }

  async #deliver(note: Note): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#write(note);
        return;
      } catch (error) {
        const hopeless = error instanceof ApiError && error.code < 500 && error.code !== 429;
        if (hopeless || attempt === attempts || this.#abort.signal.aborted) {
          this.#counted('dropped').add();
          this.#log.debug('an event could not be written', { object: keyOf(refOf(note.about)), error });
          return;
        }
        await pause(this.#clock, 500 * attempt, this.#abort.signal);
      }
    }
  }

  async #write(note: Note): Promise<void> {
    const { server } = this.#options;
    const { signal } = this.#abort;
    if (note.event) {
      const change = { count: note.count, lastTimestamp: timestamp(note.last), message: note.message };
      try {
        await server.patch(note.event, change, { type: 'merge', signal });
        note.written = this.#clock.now();
        return this.#counted('counted').add();
      } catch (error) {
        // Servers forget events after a while; then a new one is written.
        if (!isNotFound(error)) throw error;
      }
    }
    const event = this.#eventOf(note);
    await server.create(event, { signal });
    note.event = refOf(event);
    note.written = this.#clock.now();
    this.#counted('written').add();
  }

  #eventOf(note: Note): KubeObject {
    const { about, type, reason, message, component, count, first, last } = note;
    const { name, namespace, uid, resourceVersion } = about.metadata;
    const serial = (BigInt(this.#clock.now()) * 1_000_000n + BigInt(this.#serial++ % 1_000_000)).toString(16);
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${isPlainName(name) ? name : 'event'}.${serial}`, namespace: namespace ?? 'default' },
      involvedObject: { ...refOf(about), ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
      type,
      reason,
      message,
      source: { component },
      count,
      firstTimestamp: timestamp(first),
      lastTimestamp: timestamp(last),
      reportingComponent: component,
      reportingInstance: this.#options.instance ?? '',
    };
    return event;
  }
}

/** Names of roles, and very long ones, cannot begin the name of an Event. */
function isPlainName(name: string): boolean {
  return name.length <= 230 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name);
}
