import { randomUUID } from 'node:crypto';
import type { KubeObject, ResourceName } from '../../api/index.ts';
import { memoryStore } from '../../store/index.ts';
import type { Store } from '../../store/index.ts';
import { storeObjects } from './objects.ts';
import type { KeyLayout, Objects } from './objects.ts';

/** A real store in memory and the objects in it, for tests. */
export interface Testbed {
  readonly store: Store;
  readonly objects: Objects;
  /** Creates or replaces an object; a uid is given to one that has none. */
  put(plural: string, object: object): Promise<KubeObject>;
  remove(plural: string, namespace: string, name: string): Promise<void>;
}

const layout: KeyLayout = {
  prefix: ({ group, plural }) => `/registry/${group || 'core'}/${plural}/`,
  key: (resource, namespace, name) => `${layout.prefix(resource)}${namespace ? `${namespace}/` : ''}${name}`,
};

const rbac = new Set(['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings']);
const resourceOf = (plural: string): ResourceName => ({
  group: rbac.has(plural) ? 'rbac.authorization.k8s.io' : '',
  plural,
});

/** An empty testbed. */
export function testbed(): Testbed {
  const store = memoryStore();
  const objects = storeObjects(store, layout);
  return {
    store,
    objects,
    async put(plural, object) {
      const given = object as KubeObject;
      const value = { ...given, metadata: { uid: randomUUID(), ...given.metadata } };
      const { namespace = '', name } = value.metadata;
      await store.write({ verb: 'put', key: layout.key(resourceOf(plural), namespace, name), value });
      return value;
    },
    async remove(plural, namespace, name) {
      await store.write({ verb: 'delete', key: layout.key(resourceOf(plural), namespace, name) });
    },
  };
}

/** Names an object. */
export const named = (name: string, namespace?: string): { readonly metadata: object } => ({
  metadata: { name, ...(namespace && { namespace }) },
});
