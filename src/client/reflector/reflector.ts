import { ApiError } from '../../api/index.ts';
import { pause, silentLogger, wallClock } from '../../observe/index.ts';
import type { Clock, Logger } from '../../observe/index.ts';
import type { ApiClient } from '../client.ts';
import { Unreachable } from '../errors.ts';
import type { Page, Selecting, WatchEvent } from '../options.ts';
import type { KindRef, KubeObject } from '../../api/index.ts';
import { compareRevisions } from '../revision.ts';
import { Known } from './known.ts';
import type { ReflectedChange, Reading } from './known.ts';
import { backoffOf, firstState, listExpired, stateText, step } from './machine.ts';
import type { Happening, ReflectorState } from './machine.ts';
import { Stall } from './stall.ts';

/** The options of a reflector. */
export interface ReflectorOptions {
  readonly server: ApiClient;
  readonly of: KindRef;
  /** Narrows what is followed. */
  readonly select?: Omit<Selecting, 'signal'>;
  /** Called with changes in their order, in batches. It must not throw and must not wait. */
  readonly onChanges: (changes: readonly ReflectedChange[]) => void;
  /** Called once, when the whole collection has been reported. */
  readonly onSynced?: () => void;
  /** Called with every new state, for those who show or count them. */
  readonly onState?: (state: ReflectorState) => void;
  /** Keep every object, so that changes tell what was there before. */
  readonly remember?: boolean;
  /** The part of an object that is kept; it must contain the metadata that identifies it. */
  readonly keep?: (object: KubeObject) => KubeObject;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly log?: Logger;
  /** Objects in a page of a list. */
  readonly pageSize?: number;
  /** Changes that are told in one go; whatever else has come in gets its turn before more are told. */
  readonly pieceSize?: number;
  /** Try watches that begin with the collection. */
  readonly watchList?: boolean;
  /** A watch on which nothing came for so long, not even a bookmark, is taken for dead. */
  readonly stallMilliseconds?: number;
  /**
   * The bounds of the collection; a larger one is given up, until it is tried again. Absent for a server that is
   * trusted.
   */
  readonly most?: CollectionBounds;
}

/** How large a collection may be. */
export interface CollectionBounds {
  readonly objects: number;
  /** The bound of one reading, or of one watch. */
  readonly bytes: number;
  /** Until all of it has come. */
  readonly milliseconds: number;
}

const defaults = {
  clock: wallClock,
  random: Math.random,
  log: silentLogger,
  pageSize: 500,
  pieceSize: 200,
  watchList: true,
  stallMilliseconds: 180_000,
  most: { objects: Infinity, bytes: Infinity, milliseconds: Infinity },
};

/**
 * Follows a collection.
 * Guarantees: changes in the order of the server, none twice; a new list tells only real differences; after any
 * failure it goes on from the newest revision seen, or reads everything again; it never ends before it is stopped, and
 * never asks without pause. Objects are frozen.
 */
export class Reflector {
  readonly #options: ReflectorOptions & typeof defaults;
  readonly #known: Known;
  #state: ReflectorState;
  #warned = '';
  #waits: AbortController | undefined;
  #watched: Stall | undefined;
  #pageSize: number;
  /** Bytes of this reading, or of this watch. */
  #bytes = 0;
  /** Since when it does what it does; a watch begins where the collection ends. */
  #since = 0;

  constructor(options: ReflectorOptions) {
    this.#options = { ...defaults, ...options };
    this.#pageSize = this.#options.pageSize;
    this.#known = new Known(options.remember);
    this.#state = firstState(this.#options.watchList);
  }

  get state(): ReflectorState {
    return this.#state;
  }

  get size(): number {
    return this.#known.size;
  }

  /** Resolves when the signal is given and everything has ended. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.#act(signal);
    this.#happen({ did: 'stopped' });
  }

  /** The server has just answered another request, so a waiting retry need not wait any longer. */
  hurry(): void {
    this.#waits?.abort();
  }

  /**
   * The way to the server was interrupted. A connection from before may be dead without anybody having said so, and nothing
   * would be heard on it until it stalls: the watch goes on over another one.
   */
  renew(): void {
    this.#watched?.cut();
    this.hurry();
  }

  async #act(signal: AbortSignal): Promise<void> {
    this.#since = this.#options.clock.now();
    this.#bytes = 0;
    try {
      await this.#phase(signal);
    } catch (error) {
      if (this.#state.phase === 'listing') this.#shrinkPages(error);
      if (!signal.aborted) this.#happen({ did: 'failed', error, lasted: this.#lasted });
    }
  }

  /** Objects may be so large that a page of them is more than is read at once. */
  #shrinkPages(error: unknown): void {
    if (error instanceof Unreachable && error.why === 'excessive')
      this.#pageSize = Math.max(1, Math.floor(this.#pageSize / 10));
  }

  readonly #count = (bytes: number): void => {
    this.#bytes += bytes;
  };

  /** Throws when a server sends more objects, or more of them, than a collection may have. */
  #requireBounded(objects: number): void {
    const { most, of } = this.#options;
    if (objects > most.objects) throw endless(`more than ${most.objects} objects of kind ${of.kind}`);
    if (this.#state.phase !== 'watching' && this.#lasted > most.milliseconds)
      throw endless(`objects of kind ${of.kind} for more than ${most.milliseconds / 1000} s`);
    if (this.#bytes > most.bytes) throw endless(`more than ${most.bytes >> 20} MiB of objects of kind ${of.kind}`);
  }

  get #lasted(): number {
    return this.#options.clock.now() - this.#since;
  }

  #phase(signal: AbortSignal): Promise<void> {
    switch (this.#state.phase) {
      case 'listing':
        return this.#list(signal);
      case 'streaming':
      case 'watching':
        return this.#watch(signal);
      case 'waiting':
        return this.#wait(signal);
      case 'stopped':
        return Promise.resolve();
      default:
        return this.#state.phase satisfies never;
    }
  }

  #happen(happening: Happening): void {
    const before = this.#state;
    this.#state = step(before, happening);
    if (happening.did === 'saw') {
      this.#warned = '';
      return;
    }
    this.#say(this.#state);
    this.#options.onState?.(this.#state);
    if (this.#state.synced && !before.synced) this.#options.onSynced?.();
  }

  /** The same trouble is told once, until something has been heard from the server again. */
  #say(state: ReflectorState): void {
    const { log, of } = this.#options;
    const fields = { kind: of.kind, state: stateText(state) };
    if (state.phase !== 'waiting' || state.because === this.#warned) return log.debug('reflector', fields);
    this.#warned = state.because;
    log.warn('reflector waits', fields);
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    this.#waits = new AbortController();
    await pause(clock, backoffOf(this.#state.failures, random), AbortSignal.any([signal, this.#waits.signal]));
    this.#waits = undefined;
    if (!signal.aborted) this.#happen({ did: 'waited' });
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { server, of, select } = this.#options;
    // A token that expired between two pages cannot be continued; without pages there is none.
    const limit = this.#state.because === listExpired ? {} : { limit: this.#pageSize };
    const asked = { ...select, ...limit, signal, onBytes: this.#count };
    let page = await server.list(of, asked);
    const reading = this.#reading(page.resourceVersion);
    for (;;) {
      await this.#tell(
        page.items.map((item) => this.#known.read(this.#kept(item), reading)),
        signal,
      );
      if (signal.aborted) return;
      this.#requireBounded(reading.seen.size);
      if (!page.continue) break;
      page = await nextPage(server.list(of, { ...asked, continue: page.continue }), page.continue);
    }
    await this.#tell(this.#known.missed(reading, page.resourceVersion), signal);
    if (!signal.aborted) this.#happen({ did: 'listed', resourceVersion: page.resourceVersion });
  }

  /** Revisions that go backwards are those of another history: a server that was restored, or started over. */
  #reading(revision: string): Reading {
    const order = compareRevisions(revision, this.#state.resourceVersion);
    return { seen: new Set(), rewound: this.#state.resourceVersion !== '' && order !== undefined && order < 0 };
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, stallMilliseconds, server, of } = this.#options;
    const stall = (this.#watched = new Stall(clock, stallMilliseconds, signal));
    try {
      const batches = await server.watch(of, { ...this.#watching(), signal: stall.signal, onBytes: this.#count });
      const initial = this.#state.phase === 'streaming' ? { found: [] } : undefined;
      for await (const batch of batches) {
        stall.seen();
        this.#requireBounded(this.#sizeWith(initial));
        await this.#take(batch, initial, signal);
        if (signal.aborted) break;
      }
    } catch (error) {
      if (!stall.stalled && !stall.isCut) throw error;
    } finally {
      stall.close();
      this.#watched = undefined;
    }
    if (signal.aborted) return;
    this.#happen(stall.stalled ? { did: 'stalled' } : { did: 'ended', lasted: this.#lasted });
  }

  #sizeWith(initial: Initial | undefined): number {
    return Math.max(this.#known.size, initial?.found.length ?? 0);
  }

  #watching(): Parameters<ApiClient['watch']>[1] {
    const { select, random } = this.#options;
    // Servers that run for long should not see all their watches end in the same second.
    const always = { ...select, allowWatchBookmarks: true, timeoutSeconds: Math.floor(300 + 300 * random()) };
    if (this.#state.phase === 'watching') return { ...always, resourceVersion: this.#state.resourceVersion };
    return { ...always, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
  }

  async #take(batch: readonly WatchEvent[], initial: Initial | undefined, signal: AbortSignal): Promise<void> {
    const changes: (ReflectedChange | undefined)[] = [];
    for (const event of batch) {
      if (event.type === 'ERROR') {
        await this.#tell(changes, signal);
        throw new ApiError(event.status);
      }
      if (event.type === 'BOOKMARK') await this.#bookmark(event.object, initial, signal);
      else if (this.#state.phase === 'streaming' && initial) initial.found.push(this.#kept(event.object));
      else this.#event(event.type, event.object, changes);
    }
    await this.#tell(changes, signal);
  }

  #event(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject, changes: (ReflectedChange | undefined)[]): void {
    changes.push(this.#known.event(type, this.#kept(object)));
    this.#happen({ did: 'saw', resourceVersion: object.metadata.resourceVersion ?? this.#state.resourceVersion });
  }

  /** The bookmark that ends the collection turns a stream into a watch; until then nothing of it is certain. */
  async #bookmark(object: KubeObject, initial: Initial | undefined, signal: AbortSignal): Promise<void> {
    const { resourceVersion = '', annotations } = object.metadata;
    if (this.#state.phase !== 'streaming') return this.#happen({ did: 'saw', resourceVersion });
    if (!initial || annotations?.['k8s.io/initial-events-end'] !== 'true') return;
    const reading = this.#reading(resourceVersion);
    const found = initial.found.splice(0).map((one) => this.#known.read(one, reading));
    await this.#tell([...found, ...this.#known.missed(reading, resourceVersion)], signal);
    if (signal.aborted) return;
    this.#since = this.#options.clock.now();
    this.#happen({ did: 'listed', resourceVersion });
  }

  #kept(object: KubeObject): KubeObject {
    return this.#options.keep?.(object) ?? object;
  }

  /** Reports changes in pieces, and nothing more once it is stopped. */
  async #tell(changes: readonly (ReflectedChange | undefined)[], signal: AbortSignal): Promise<void> {
    const { onChanges, pieceSize } = this.#options;
    const real = changes.filter((change) => change !== undefined);
    for (let told = 0; told < real.length; told += pieceSize) {
      if (told > 0) await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) return;
      onChanges(real.slice(told, told + pieceSize));
    }
  }
}

/** A page that leads to itself has no end. */
async function nextPage(asked: Promise<Page>, token: string): Promise<Page> {
  const page = await asked;
  if (page.continue !== token || page.items.length > 0) return page;
  throw endless('a page that continues with itself');
}

function endless(what: string): Unreachable {
  return new Unreachable('excessive', `the server sent ${what}`, { sent: true });
}

interface Initial {
  readonly found: KubeObject[];
}
