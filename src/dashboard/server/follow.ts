import { apiVersionOf, memberOfNamespace } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { fetchHub } from '../../cli/index.ts';
import type { Hub } from '../../cli/index.ts';
import { discover, Reflector, stateText } from '../../client/index.ts';
import type { ReflectedChange, ReflectorState, ResourceInfo } from '../../client/index.ts';
import type { HubState } from '../wire.ts';

/** A collection that a caller may read, everywhere or in one namespace. */
interface Place {
  readonly kind: Pick<ResourceInfo, 'group' | 'version' | 'kind'>;
  readonly namespace: string | undefined;
}

/** Called with every batch of changes, and with every change of the connection. */
export interface FollowEvents {
  readonly onChanges: (changes: readonly ReflectedChange[], isEvents: boolean) => void;
  readonly onState: (state: HubState) => void;
}

/**
 * Follows everything on the hub that decisions read and the caller may see, by one watch for each kind. However many pages are
 * open, the hub serves these watches once for each person.
 */
export class Follower {
  readonly #hub: Hub;
  readonly #events: FollowEvents;
  readonly #abort = new AbortController();
  readonly #states = new Map<string, ReflectorState>();
  #running: Promise<unknown> = Promise.resolve();
  hidden: readonly string[] = [];

  constructor(hub: Hub, events: FollowEvents) {
    this.#hub = hub;
    this.#events = events;
  }

  /** Resolves when all collections have been read once. */
  async start(): Promise<void> {
    const places = await this.#places();
    const synced: Promise<void>[] = [];
    const running: Promise<void>[] = [];
    for (const place of places) {
      const { promise, resolve } = Promise.withResolvers<void>();
      synced.push(promise);
      running.push(this.#reflector(place, resolve).run(this.#abort.signal));
    }
    this.#running = Promise.all(running);
    this.#abort.signal.addEventListener('abort', () => this.#events.onState({ up: false, message: 'closed' }));
    await Promise.race([Promise.all(synced), this.#running]);
  }

  async stop(): Promise<void> {
    this.#abort.abort(new Error('nobody looks any more'));
    await this.#running;
  }

  /** Tries to read one object of every kind: what is forbidden is hidden, the rest is followed. */
  async #places(): Promise<readonly Place[]> {
    const places: Place[] = [];
    const probe = async (
      _: unknown,
      kind: ResourceInfo,
      { namespace }: { readonly namespace?: string | undefined } = {},
    ): Promise<KubeObject[]> => {
      await this.#tryList(kind, namespace);
      places.push({ kind, namespace });
      return [];
    };
    const served = await discover(this.#hub.client);
    const { hidden } = await fetchHub(
      { ...this.#hub, served },
      { fallback: this.#hub.namespace, reports: true },
      probe,
    );
    this.hidden = hidden;
    return [...places, ...(await this.#eventPlaces(places))];
  }

  async #tryList(kind: Place['kind'], namespace: string | undefined): Promise<void> {
    await this.#hub.client.list(
      { apiVersion: apiVersionOf(kind), kind: kind.kind },
      { limit: 1, ...(namespace !== undefined && { namespace }) },
    );
  }

  /** Events are for the timeline only; where they are hidden, nothing else is affected. */
  async #eventPlaces(places: readonly Place[]): Promise<readonly Place[]> {
    const kind = { group: '', version: 'v1', kind: 'Event' };
    const own = new Set(
      places
        .map(({ namespace }) => namespace)
        .filter((name) => name !== undefined && memberOfNamespace(name) === undefined),
    );
    for (const candidates of [[undefined], [...own]]) {
      const open: Place[] = [];
      for (const namespace of candidates)
        await this.#tryList(kind, namespace)
          .then(() => open.push({ kind, namespace }))
          .catch(() => {});
      if (open.length > 0) return open;
    }
    return [];
  }

  #reflector({ kind, namespace }: Place, onSynced: () => void): Reflector {
    const isEvents = kind.kind === 'Event';
    const name = `${kind.group}/${kind.kind}/${namespace ?? ''}`;
    return new Reflector({
      server: this.#hub.client,
      of: { apiVersion: apiVersionOf(kind), kind: kind.kind },
      ...(namespace !== undefined && { select: { namespace } }),
      onChanges: (changes) => this.#events.onChanges(changes, isEvents),
      onSynced,
      onState: (state) => this.#note(name, state),
      keep: withoutManagers,
      // A page that says that the hub is gone should not say so a minute too late.
      stallMilliseconds: 90_000,
    });
  }

  /** The hub is gone when its watches fail, and back when none of them does. */
  #note(name: string, state: ReflectorState): void {
    this.#states.set(name, state);
    if (this.#abort.signal.aborted) return;
    const lost = [...this.#states.values()].find(
      ({ phase, fault, failures }) => phase === 'waiting' && fault !== undefined && failures > 0,
    );
    this.#events.onState(lost ? { up: false, message: stateText(lost) } : { up: true });
  }
}

/** Managed fields are half of many an object, and no decision reads them. */
function withoutManagers(object: KubeObject): KubeObject {
  if (!object.metadata.managedFields) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
