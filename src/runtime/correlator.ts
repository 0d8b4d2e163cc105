import type { Clock } from '../observe/index.ts';
import { keyOf, refOf } from '../api/index.ts';
import type { KubeObject, Ref } from '../api/index.ts';
import { Bucket } from './bucket.ts';

/** An event of an object, as users read it. */
export interface Happening {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component?: string;
  /** Never dropped as a repeat: a person has caused it, and looks for it. */
  readonly isKept?: boolean;
}

/** An event of an object, and how often it happened. */
export interface Note extends Required<Omit<Happening, 'isKept'>> {
  /** The object, as far as an Event names it. */
  readonly about: KubeObject;
  /** No other event of the object had this reason within the window, or it is kept all the same. */
  readonly isFirst: boolean;
  count: number;
  readonly first: number;
  last: number;
  message: string;
  /** The Event that says it, once it is written. */
  event?: Ref;
  /** When that was last. */
  written?: number;
}

/** The same thing said within this time is one Event. */
const windowMilliseconds = 10 * 60_000;
/** Number of different messages of one reason within the window; the next ones are summed up in one. */
const mostMessages = 10;
/**
 * Number of repeats of one object at once, and then one in five minutes. A reason that is new to the object does not
 * count as a repeat.
 */
const burst = 25;
const refillMilliseconds = 5 * 60_000;
/** The most events that are remembered; the oldest is forgotten first. */
const mostRemembered = 16_384;
/** The longest message that the API takes. */
const longestMessage = 1_024;

interface Topic {
  readonly messages: Set<string>;
  last: number;
}

/**
 * Decides which events are written, which only count up an earlier one, and which are too many.
 * Guarantees: the first event with a reason about an object is never too many, whatever else is said of it or of
 * others.
 */
export class Correlator {
  readonly #clock: Clock;
  readonly #notes = new Map<string, Note>();
  readonly #topics = new Map<string, Topic>();
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The note to write, new or counted up; undefined when this object has said too much. */
  note(about: KubeObject, happening: Happening & { readonly component: string }): Note | undefined {
    const now = this.#clock.now();
    const { type, reason, component } = happening;
    const source = `${component}|${keyOf(refOf(about))}|${about.metadata.uid ?? ''}`;
    const topic = `${source}|${type}|${reason}`;
    const isFirst = happening.isKept === true || !this.#isKnown(topic, now);
    if (!isFirst && !this.#admits(source, now)) return undefined;
    const message = happening.message.slice(0, longestMessage);
    const combined = this.#isTooVaried(topic, message, now);
    const key = combined ? `${topic}|` : `${topic}|${message}`;
    const said = combined ? `(combined from similar events): ${message}`.slice(0, longestMessage) : message;
    const known = this.#notes.get(key);
    if (known && now - known.last < windowMilliseconds) {
      known.count++;
      known.last = now;
      known.message = said;
      remember(this.#notes, key, known);
      return known;
    }
    const note: Note = {
      type,
      reason,
      component,
      about: slim(about),
      isFirst,
      message: said,
      count: 1,
      first: now,
      last: now,
    };
    remember(this.#notes, key, note);
    return note;
  }

  #isKnown(key: string, now: number): boolean {
    const topic = this.#topics.get(key);
    return topic !== undefined && now - topic.last < windowMilliseconds;
  }

  #isTooVaried(key: string, message: string, now: number): boolean {
    const known = this.#topics.get(key);
    const topic = known && now - known.last < windowMilliseconds ? known : { messages: new Set<string>(), last: now };
    topic.last = now;
    if (topic.messages.size < mostMessages) topic.messages.add(message);
    remember(this.#topics, key, topic);
    return !topic.messages.has(message);
  }

  #admits(source: string, now: number): boolean {
    const bucket = this.#buckets.get(source) ?? new Bucket({ burst, refillMilliseconds, now });
    remember(this.#buckets, source, bucket);
    return bucket.take(now);
  }
}

/** Events wait to be written: an object that changes meanwhile must not be kept for them. */
function slim({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace && { namespace }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
    },
  };
}

/** Puts an entry last, and forgets the first when there are too many. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= mostRemembered) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
