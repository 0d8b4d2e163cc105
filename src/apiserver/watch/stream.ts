import type { Clock } from '../../observe/index.ts';
import type { KindInfo, KubeObject } from '../../api/index.ts';
import { ApiError, apiVersionOf, internalError } from '../../api/index.ts';
import { StoreError } from '../../store/index.ts';
import type { Entry, Store, StoreEvent, Watch } from '../../store/index.ts';
import type { HubEvent, Sink } from '../http.ts';
import { tooOld } from '../request/resource-version.ts';
import type { Selection } from '../selector/selection.ts';
import { servedObject } from '../storage/stored-form.ts';
import type { Backlog, Behind } from './backlog.ts';
import { eventFrame } from './frames.ts';
import { chunkOf, sendSoon } from './pace.ts';
import type { Encode, WatchChange } from './frames.ts';

/** Everything about a watch that its request decides. */
export interface WatchPlan {
  readonly backlog: Backlog;
  readonly store: Store;
  readonly clock: Clock;
  readonly kind: KindInfo;
  readonly selection: Selection;
  readonly encode: Encode;
  /** Objects to show first, as ADDED. */
  readonly initial?: readonly Entry[];
  /** Show a bookmark that says where the initial objects end. */
  readonly marksInitialEnd: boolean;
  readonly from: number;
  readonly bookmarks: boolean;
  readonly lastsMilliseconds: number;
  readonly wantsObjects: boolean;
  /** Called when an event cannot be shown; the watch ends. */
  readonly onFault?: (error: unknown) => void;
}

const bookmarkEvery = 60_000;
/** A watcher that leaves so much unread is ended: it will list again, which costs less than buffering for it. */
const mostPending = 16 * 1024 * 1024;
/** While so much is unread, frames wait here, where watchers share them, and not in the connection, which copies them. */
const mostInConnection = 256 * 1024;
/** How long the client of a watch that was ended for being behind has to read why, in milliseconds. */
const graceMilliseconds = 10_000;
/** The collection that a watch begins with is shown in pieces of this size, each when the sink can take it. */
const pieceBytes = 256 * 1024;

/**
 * One open watch.
 * Guarantees: events in revision order, each once; nothing after end(); frames gathered until they are sent leave as one
 * chunk; a collection to begin with may be of any size, and only what comes after it can be left unread for too long.
 */
export class WatchStream implements Behind {
  readonly #plan: WatchPlan;
  readonly #sink: Sink;
  #watch: Watch | undefined;
  #frames: Buffer[] = [];
  /** Bytes of the frames. */
  #gathered = 0;
  #waitsForDrain = false;
  readonly #flush = (): void => this.#sendAndJudge();
  #open = true;
  #cancelBookmark: () => void = () => {};
  #cancelEnd: () => void = () => {};

  constructor(plan: WatchPlan, sink: Sink) {
    this.#plan = plan;
    this.#sink = sink;
  }

  start(): void {
    const { clock, lastsMilliseconds, initial = [] } = this.#plan;
    this.#cancelEnd = clock.after(lastsMilliseconds, () => this.end());
    this.#begin(initial, 0);
  }

  /** Shows the collection from an index on, as much as the sink can take, and the rest when it can take more. */
  #begin(initial: readonly Entry[], index: number): void {
    if (!this.#open) return;
    const { whenDrained } = this.#sink;
    const end = whenDrained && !this.#plan.wantsObjects ? endOfPiece(initial, index) : initial.length;
    this.#show(initial.slice(index, end).map((entry) => ({ type: 'ADDED', entry })));
    if (end === initial.length) return this.#follow();
    this.#send();
    whenDrained?.(() => this.#begin(initial, end));
  }

  #follow(): void {
    const plan = this.#plan;
    if (plan.marksInitialEnd) this.#bookmark(plan.from, { 'k8s.io/initial-events-end': 'true' });
    try {
      this.#watch = plan.store.watch(plan.selection.prefix, plan.from, {
        onEvents: (events) => this.#take(events),
        onEnd: (why) => (why === 'compacted' ? this.#fail(tooOld(plan.from, plan.store.compacted)) : this.end()),
      });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return this.#fail(tooOld(plan.from, plan.store.compacted));
    }
    if (plan.bookmarks) this.#bookmarkLater();
  }

  /** Ends the stream from our side. */
  end(): void {
    if (!this.#open) return;
    this.#send();
    this.close();
    this.#sink.end();
  }

  /** The other side went away. */
  close(): void {
    this.#open = false;
    this.#frames = [];
    this.#gathered = 0;
    this.#plan.backlog.note(this, 0);
    this.#watch?.close();
    this.#cancelBookmark();
    this.#cancelEnd();
  }

  #take(events: readonly StoreEvent[]): void {
    const changes = this.#safely(() => this.#selected(events));
    if (changes) this.#show(changes);
  }

  #selected(events: readonly StoreEvent[]): readonly WatchChange[] {
    const { matches } = this.#plan.selection;
    const changes: WatchChange[] = [];
    for (const event of events) {
      const change = matches ? selectedChange(event, matches) : { type: types[event.type], entry: event.entry };
      if (change) changes.push(change);
    }
    return changes;
  }

  /** An event that cannot be shown ends this watch alone: an error thrown into the store would end the process. */
  #safely<T>(make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      this.#plan.onFault?.(error);
      this.#fail(error instanceof ApiError ? error : internalError('an event of this watch cannot be shown'));
      return undefined;
    }
  }

  #show(changes: readonly WatchChange[]): void {
    if (changes.length === 0 || !this.#open) return;
    const { kind, wantsObjects, encode } = this.#plan;
    if (wantsObjects) {
      this.#sink.event?.(changes.map(({ type, entry }) => ({ type, object: servedObject(entry, kind) })));
      return;
    }
    const frames = this.#safely(() => changes.map(encode));
    for (const frame of frames ?? []) this.#write(frame);
  }

  #write(frame: Buffer): void {
    if (frame.length === 0) return;
    this.#frames.push(frame);
    this.#gathered += frame.length;
    sendSoon(this.#flush);
  }

  #sendAndJudge(): void {
    if (!this.#open) return;
    const { whenDrained } = this.#sink;
    const isFull = this.#sink.pending() > mostInConnection;
    if (!isFull || !whenDrained) this.#send();
    else if (!this.#waitsForDrain) {
      this.#waitsForDrain = true;
      whenDrained(() => {
        this.#waitsForDrain = false;
        this.#sendAndJudge();
      });
    }
    const behind = this.#sink.pending() + this.#gathered;
    if (behind > mostPending) this.giveUp();
    else this.#plan.backlog.note(this, behind > mostInConnection ? behind : 0);
  }

  /**
   * Ends a watch that is too far behind; what waits here is dropped, and what the connection has buffered soon after.
   */
  giveUp(): void {
    if (!this.#open) return;
    this.#frames = [];
    this.#fail(tooOld(this.#plan.from, this.#plan.store.revision));
    const { drop } = this.#sink;
    if (drop) this.#plan.clock.after(graceMilliseconds, drop);
  }

  #send(): void {
    const frames = this.#frames;
    if (frames.length === 0 || !this.#open) return;
    this.#frames = [];
    this.#gathered = 0;
    this.#sink.write(chunkOf(frames));
  }

  #event(event: HubEvent): void {
    if (this.#plan.wantsObjects) this.#sink.event?.([event]);
    else this.#write(eventFrame(event));
  }

  #fail(error: ApiError): void {
    if (!this.#open) return;
    this.#event({ type: 'ERROR', object: error.status });
    this.end();
  }

  #bookmarkLater(): void {
    this.#cancelBookmark = this.#plan.clock.after(bookmarkEvery, () => {
      this.#bookmark(this.#plan.store.revision);
      this.#bookmarkLater();
    });
  }

  #bookmark(revision: number, annotations?: Readonly<Record<string, string>>): void {
    const { kind } = this.#plan;
    const metadata = {
      resourceVersion: String(revision),
      creationTimestamp: null,
      ...(annotations && { annotations }),
    };
    const object = { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata };
    this.#event({ type: 'BOOKMARK', object });
  }
}

/** Where a piece ends that begins at an index: after at least one entry, and after enough bytes. */
function endOfPiece(entries: readonly Entry[], index: number): number {
  let end = index;
  for (let bytes = 0; end < entries.length && bytes < pieceBytes; end++) bytes += entries[end]?.bytes.length ?? 0;
  return end;
}

const types = { created: 'ADDED', updated: 'MODIFIED', deleted: 'DELETED' } as const;

/** An object that enters the selection is added and one that leaves it is deleted, whatever happened to it. */
function selectedChange(event: StoreEvent, matches: (entry: Entry) => boolean): WatchChange | undefined {
  const { type, entry, before } = event;
  const was = before !== undefined && matches(before);
  if (type === 'deleted') return was || (!before && matches(entry)) ? { type: 'DELETED', entry } : undefined;
  const is = matches(entry);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', entry };
  return was && before ? { type: 'DELETED', entry: restamped(before, entry.revision) } : undefined;
}

/** The last state that was in the selection, at the revision at which it left. */
function restamped(before: Entry, revision: number): Entry {
  const object = before.value as KubeObject;
  const metadata = { ...object.metadata, resourceVersion: String(revision) };
  const value = Object.freeze({ ...object, metadata });
  const bytes = Buffer.from(JSON.stringify(value));
  return { key: before.key, created: before.created, revision, value, plain: value, bytes };
}
