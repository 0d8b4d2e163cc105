import { randomUUID } from 'node:crypto';
import { alreadyExists, conflict, notFound } from '../../../src/api/index.ts';
import type { KubeObject, Objects, ResourceName } from '../../../src/api/index.ts';
import { storeObjects } from '../../../src/apiserver/storage/store-objects.ts';
import type { KeyLayout } from '../../../src/apiserver/storage/store-objects.ts';
import type { Writer } from '../../../src/auth/writer.ts';
import { memoryStore, StoreError } from '../../../src/store/index.ts';
import type { Store, StoreWrite } from '../../../src/store/index.ts';

/** A real store in memory and the objects in it, for tests. */
export interface Testbed {
  readonly store: Store;
  readonly objects: Objects;
  /** Creates or replaces an object; a uid is given to one that has none. */
  put(plural: string, object: object): Promise<KubeObject>;
  remove(plural: string, namespace: string, name: string): Promise<void>;
  /** Writes with the preconditions and refusals of the hub. */
  readonly writer: Writer;
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
      const { namespace = '', name } = given.metadata;
      const key = layout.key(resourceOf(plural), namespace, name);
      const value = (revision: number): object => ({
        ...given,
        metadata: { uid: randomUUID(), ...given.metadata, resourceVersion: String(revision) },
      });
      return (await store.write({ verb: 'put', key, value })).value as KubeObject;
    },
    writer: storeWriter(store),
    async remove(plural, namespace, name) {
      await store.write({ verb: 'delete', key: layout.key(resourceOf(plural), namespace, name) });
    },
  };
}

const keyOf = (resource: ResourceName, { metadata }: KubeObject): string =>
  layout.key(resource, metadata.namespace ?? '', metadata.name);
const stamped = (object: object) => (revision: number) => {
  const { metadata, ...rest } = object as KubeObject;
  return { ...rest, metadata: { uid: randomUUID(), ...metadata, resourceVersion: String(revision) } };
};

function storeWriter(store: Store): Writer {
  const guarded = async (resource: ResourceName, object: KubeObject, write: StoreWrite): Promise<void> => {
    if (!store.get(write.key) && write.revision !== 0) throw notFound(resource, object.metadata.name);
    await store.write(write).catch((error: unknown) => {
      if (!(error instanceof StoreError) || error.code !== 'conflict') throw error;
      throw write.revision === 0
        ? alreadyExists(resource, object.metadata.name)
        : conflict(resource, object.metadata.name);
    });
  };
  return {
    create: (resource, object) => {
      const key = keyOf(resource, object as KubeObject);
      return guarded(resource, object as KubeObject, { verb: 'put', key, value: stamped(object), revision: 0 });
    },
    replace: (resource, object) => {
      const revision = Number(object.metadata.resourceVersion);
      return guarded(resource, object, { verb: 'put', key: keyOf(resource, object), value: stamped(object), revision });
    },
    replaceStatus: () => Promise.reject(new Error('nothing here writes a status')),
    remove: (resource, object) => guarded(resource, object, { verb: 'delete', key: keyOf(resource, object) }),
  };
}

/** Names an object. */
export const named = (name: string, namespace: string): object => ({ metadata: { name, namespace } });

const rbacGroup = 'rbac.authorization.k8s.io';

/** A Role, or without a namespace a ClusterRole; labels as `key=value`. */
export function role(at: string, rules: readonly object[], ...labels: readonly string[]): object {
  const [name = '', namespace] = at.split('/').reverse();
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: namespace ? 'Role' : 'ClusterRole',
    metadata: {
      name,
      ...(namespace && { namespace }),
      labels: Object.fromEntries(labels.map((label) => label.split('='))) as Record<string, string>,
    },
    rules,
  };
}

/** A RoleBinding, or without a namespace a ClusterRoleBinding; `to` is `Role/name`, subjects are `User/jane`, `ServiceAccount/ns/robot`. */
export function binding(at: string, to: string, ...subjects: readonly string[]): object {
  const [name = '', namespace] = at.split('/').reverse();
  const [kind, roleName] = to.split('/');
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: namespace ? 'RoleBinding' : 'ClusterRoleBinding',
    metadata: { name, ...(namespace && { namespace }) },
    roleRef: { apiGroup: rbacGroup, kind, name: roleName },
    subjects: subjects.map(subjectOf),
  };
}

function subjectOf(text: string): object {
  const [kind, ...rest] = text.split('/');
  if (kind !== 'ServiceAccount') return { kind, apiGroup: rbacGroup, name: rest.join('/') };
  const [name, namespace] = rest.reverse();
  return { kind, name, ...(namespace && { namespace }) };
}
