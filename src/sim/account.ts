import { hasReason } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import type { Store } from '../store/index.ts';
import { objectKey } from '../apiserver/index.ts';
import type { Cluster } from './cluster/cluster.ts';

const namespace = 'kube-system';
const account = 'sluice-hub';
const secret = 'sluice-hub-token';

const objects: readonly KubeObject[] = [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: account },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  } as KubeObject,
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secret, namespace, annotations: { 'kubernetes.io/service-account.name': account } },
    type: 'kubernetes.io/service-account-token',
  } as KubeObject,
];

const secretKey = objectKey({ group: '', plural: 'secrets' }, namespace, secret);
const accountKey = objectKey({ group: '', plural: 'serviceaccounts' }, namespace, account);

/** The token of the account by which the hub writes to this member; the account is made when there is none. */
export async function hubToken(cluster: Cluster, store: Store): Promise<string> {
  for (const object of objects) {
    try {
      await cluster.create(object);
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error;
    }
  }
  return filledToken(store);
}

/** The API server fills the Secret on its own. */
function filledToken(store: Store): Promise<string> {
  const read = (): string => {
    const held = store.get(secretKey)?.value as { readonly data?: { readonly token?: string } } | undefined;
    return Buffer.from(held?.data?.token ?? '', 'base64').toString('utf8');
  };
  return new Promise((resolve, reject) => {
    if (read()) return resolve(read());
    const watch = store.watch(secretKey, store.revision, {
      onEvents: () => {
        if (!read()) return;
        watch.close();
        resolve(read());
      },
      onEnd: (why) => reject(new Error(`the token of the hub was never filled in: the store is ${why}`)),
    });
  });
}

/** What must outlive a cluster that is made anew, so that the credentials of the hub stay good. */
export function credentialsOf(store: Store): ReadonlyMap<string, object> {
  const kept = [accountKey, secretKey].flatMap((key) => {
    const entry = store.get(key);
    return entry ? [[key, entry.value as object] as const] : [];
  });
  return new Map(kept);
}

/** Puts them into a store that has none. */
export async function restoreCredentials(store: Store, kept: ReadonlyMap<string, object>): Promise<void> {
  for (const [key, value] of kept) {
    const object = value as KubeObject;
    const stamped = (revision: number): object => ({
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(revision) },
    });
    await store.write({ verb: 'put', key, value: stamped });
  }
}
