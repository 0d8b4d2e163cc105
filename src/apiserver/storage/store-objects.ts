import type { KubeObject, ObjectChange, Objects, ResourceName } from '../../api/index.ts';
import type { Entry, Store, Watch } from '../../store/index.ts';

/** Where the hub keeps objects in its store. */
export interface KeyLayout {
  /** The common start of the keys of all objects of a resource. */
  prefix(resource: ResourceName): string;
  key(resource: ResourceName, namespace: string, name: string): string;
}

/** The objects in a store. */
export function storeObjects(store: Store, layout: KeyLayout): Objects {
  return {
    get: (resource, namespace, name) =>
      store.get(layout.key(resource, namespace, name))?.value as KubeObject | undefined,
    follow: (resource, onChange) => follow(store, layout.prefix(resource), onChange),
  };
}

function follow(store: Store, prefix: string, onChange: (change: ObjectChange) => void): () => void {
  const known = new Map<string, Entry>();
  let watch: Watch | undefined;
  const learn = (key: string, after: Entry | undefined): void => {
    const before = known.get(key);
    if (after === undefined) known.delete(key);
    else known.set(key, after);
    if (before?.revision === after?.revision) return;
    onChange({ ...(before && { before: objectOf(before) }), ...(after && { after: objectOf(after) }) });
  };
  const start = (): void => {
    const { entries, revision } = store.list(prefix);
    const present = new Set(entries.map((entry) => entry.key));
    for (const key of known.keys()) if (!present.has(key)) learn(key, undefined);
    for (const entry of entries) learn(entry.key, entry);
    watch = store.watch(prefix, revision, {
      onEvents: (events) => {
        for (const { type, entry } of events) learn(entry.key, type === 'deleted' ? undefined : entry);
      },
      onEnd: (why) => (why === 'compacted' ? start() : undefined),
    });
  };
  start();
  return () => watch?.close();
}

const objectOf = (entry: Entry): KubeObject => entry.value as KubeObject;
