import type { Catalog, CustomResourceDefinition, KubeObject } from '../../api/index.ts';
import { catalogOfCrds, cleanupFinalizer, withStatus } from '../../schema/index.ts';
import { StoreError } from '../../store/index.ts';
import type { Entry, Store, Watch } from '../../store/index.ts';

/** The parts that the controller of definitions needs. */
export interface CrdOptions {
  readonly store: Store;
  /** The kinds that the hub has without any definition. */
  readonly base: Catalog;
  /** Where the objects of a resource are stored. */
  readonly prefixOf: (resource: { readonly group: string; readonly plural: string }) => string;
  /** Subresources that the composer of the hub answers, by `group/plural`. */
  readonly subresources?: ReadonlyMap<string, readonly string[]>;
  /** The time as Kubernetes writes it. */
  readonly now: () => string;
  /** Called with unexpected failures; the work is tried again with the next change. */
  readonly onFault?: (error: unknown) => void;
}

const definitions = { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' };

/**
 * Keeps the catalog equal to the definitions in the store: names and conditions in their status, and the
 * objects of a deleted one removed before it goes.
 * Guarantee: a definition that reads as established is served.
 */
export class CrdController {
  readonly #options: CrdOptions;
  readonly #watches = new Map<string, Watch>();
  #catalog: Catalog;
  #work: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(options: CrdOptions) {
    this.#options = options;
    this.#catalog = catalogOfCrds(options.base, this.#entries().map(crdOf), options.subresources);
  }

  /** The kinds of this moment. */
  catalog(): Catalog {
    return this.#catalog;
  }

  /** Begins to follow the store. */
  start(): void {
    this.#follow(this.#options.prefixOf(definitions));
    this.#wake();
  }

  /** Resolves when there is nothing left to do for the present state of the store. */
  async settled(): Promise<void> {
    while (this.#work) await this.#work;
  }

  /** Stops, after what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    await this.settled();
  }

  #entries(): readonly Entry[] {
    const { entries } = this.#options.store.list(this.#options.prefixOf(definitions));
    return entries.toSorted((a, b) => a.created - b.created);
  }

  /** Wakes up for every change under a prefix. */
  #follow(prefix: string): void {
    if (this.#watches.has(prefix) || this.#closed) return;
    const { store } = this.#options;
    const onEnd = (why: 'compacted' | 'closed'): void => {
      this.#watches.delete(prefix);
      if (why === 'compacted') this.#follow(prefix);
      this.#wake();
    };
    this.#watches.set(prefix, store.watch(prefix, store.revision, { onEvents: () => this.#wake(), onEnd }));
  }

  #unfollow(prefix: string): void {
    this.#watches.get(prefix)?.close();
    this.#watches.delete(prefix);
  }

  /** One pass at a time; a change during a pass makes for another. */
  #wake(): void {
    this.#again = true;
    if (this.#closed) return;
    this.#work ??= this.#passes().finally(() => (this.#work = undefined));
  }

  async #passes(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false;
      try {
        await this.#pass();
      } catch (error) {
        // A conflict means that the object has changed, and the change wakes us again.
        if (!(error instanceof StoreError)) this.#options.onFault?.(error);
        else if (error.code !== 'conflict' && error.code !== 'closed') this.#options.onFault?.(error);
      }
    }
  }

  async #pass(): Promise<void> {
    const { base, store, now, subresources } = this.#options;
    const entries = this.#entries();
    const before = entries.map(crdOf);
    const after = settledStatuses(before, now());
    this.#catalog = catalogOfCrds(base, after, subresources);
    for (const [i, crd] of after.entries()) {
      const entry = entries[i];
      if (!entry || crd === before[i]) continue;
      await store.write({ verb: 'put', key: entry.key, revision: entry.revision, value: stamped(crd) });
    }
    for (const entry of entries) if (awaitsCleanup(crdOf(entry))) await this.#cleanUp(entry);
  }

  async #cleanUp(entry: Entry): Promise<void> {
    const { store, prefixOf, now } = this.#options;
    const { group, names } = crdOf(entry).spec;
    const prefix = prefixOf({ group, plural: names.plural });
    this.#follow(prefix);
    await removeObjects(store, prefix, now());
    const current = store.get(entry.key);
    if (store.count(prefix) > 0 || !current || !awaitsCleanup(crdOf(current))) return;
    this.#unfollow(prefix);
    await releaseCrd(store, current);
  }
}

function crdOf(entry: Entry): CustomResourceDefinition {
  return entry.value as CustomResourceDefinition;
}

/** Every definition with its status, oldest first: who came first has the name. */
function settledStatuses(crds: readonly CustomResourceDefinition[], now: string): readonly CustomResourceDefinition[] {
  const settled = [...crds];
  settled.forEach((crd, i) => {
    const others = settled.filter((other) => other !== crd);
    if (crd.metadata.deletionTimestamp === undefined) settled[i] = withStatus(crd, others, now);
  });
  return settled;
}

const batch = 500;

/** The object with the revision of its own write, as every stored object carries it. */
function stamped<T extends KubeObject>(object: T): (revision: number) => T {
  return (revision) => ({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
}

/** Tells whether a definition is being deleted and waits until its objects are removed. */
function awaitsCleanup({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(cleanupFinalizer);
}

/** Asks all objects under a prefix to go. Those with finalizers of their own stay until these are removed. */
async function removeObjects(store: Store, prefix: string, now: string): Promise<void> {
  let after: string | undefined;
  do {
    const page = store.list(prefix, { limit: batch, ...(after !== undefined && { after }) });
    await Promise.all(page.entries.map((entry) => removeObject(store, entry, now)));
    after = page.next;
  } while (after !== undefined);
}

async function removeObject(store: Store, entry: Entry, now: string): Promise<void> {
  const object = entry.value as KubeObject;
  const { metadata } = object;
  const { key, revision } = entry;
  const begun = {
    ...object,
    metadata: {
      ...metadata,
      generation: (metadata.generation ?? 0) + 1,
      deletionTimestamp: metadata.deletionTimestamp ?? now,
      deletionGracePeriodSeconds: 0,
    },
  };
  if (!metadata.finalizers?.length) await store.write({ verb: 'delete', key, revision, value: stamped(object) });
  else if (!metadata.deletionTimestamp) await store.write({ verb: 'put', key, revision, value: stamped(begun) });
}

/** Removes the finalizer of a definition whose objects are gone. */
async function releaseCrd(store: Store, entry: Entry): Promise<void> {
  const crd = entry.value as CustomResourceDefinition;
  const { key, revision } = entry;
  const finalizers = (crd.metadata.finalizers ?? []).filter((name) => name !== cleanupFinalizer);
  const { finalizers: _all, ...metadata } = crd.metadata;
  const released = { ...crd, metadata: finalizers.length > 0 ? { ...metadata, finalizers } : metadata };
  const verb = finalizers.length > 0 ? 'put' : 'delete';
  await store.write({ verb, key, revision, value: stamped(released) });
}
