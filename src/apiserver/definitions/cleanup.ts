import type { CustomResourceDefinition, KubeObject } from '../../api/index.ts';
import { cleanupFinalizer } from '../../schema/index.ts';
import type { Entry, Store } from '../../store/index.ts';

const batch = 500;

/** The object with the revision of its own write, as every stored object carries it. */
export function stamped<T extends KubeObject>(object: T): (revision: number) => T {
  return (revision) => ({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
}

/** Is this definition going away, and waits for us to remove its objects? */
export function awaitsCleanup({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(cleanupFinalizer);
}

/** Asks all objects under a prefix to go. Those with finalizers of their own stay until these are removed. */
export async function removeObjects(store: Store, prefix: string, now: string): Promise<void> {
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

/** Lets go of a definition whose objects are gone. */
export async function releaseCrd(store: Store, entry: Entry): Promise<void> {
  const crd = entry.value as CustomResourceDefinition;
  const { key, revision } = entry;
  const finalizers = (crd.metadata.finalizers ?? []).filter((name) => name !== cleanupFinalizer);
  const { finalizers: _all, ...metadata } = crd.metadata;
  const released = { ...crd, metadata: finalizers.length > 0 ? { ...metadata, finalizers } : metadata };
  const verb = finalizers.length > 0 ? 'put' : 'delete';
  await store.write({ verb, key, revision, value: stamped(released) });
}
