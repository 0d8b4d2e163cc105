import { hasReason, impersonatorRole } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import type { Store } from '../store/index.ts';
import { objectKey } from '../apiserver/index.ts';
import type { Cluster } from './cluster/cluster.ts';

const namespace = 'kube-system';
const hub = 'sluice-hub';
const impersonator = 'sluice-impersonator';

/** Tokens of the accounts by which the hub enters a member. */
export interface MemberTokens {
  /** May do everything. */
  readonly token: string;
  /** May take on users, for the cluster proxy. */
  readonly impersonatorToken: string;
}

function accountObjects(name: string): readonly KubeObject[] {
  const annotations = { 'kubernetes.io/service-account.name': name };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${name}-token`, namespace, annotations },
      type: 'kubernetes.io/service-account-token',
    } as KubeObject,
  ];
}

const objects: readonly KubeObject[] = [
  ...accountObjects(hub),
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: hub },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: hub, namespace }],
  } as KubeObject,
  ...accountObjects(impersonator),
  ...impersonatorRole({ namespace, name: impersonator }),
];

const secretKey = (account: string): string =>
  objectKey({ group: '', plural: 'secrets' }, namespace, `${account}-token`);
const accountKey = (account: string): string => objectKey({ group: '', plural: 'serviceaccounts' }, namespace, account);

/** The tokens of the accounts by which the hub enters this member; the accounts are made when there are none. */
export async function memberTokens(cluster: Cluster, store: Store): Promise<MemberTokens> {
  for (const object of objects) {
    try {
      await cluster.create(object);
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error;
    }
  }
  const [token, impersonatorToken] = await Promise.all([filledToken(store, hub), filledToken(store, impersonator)]);
  return { token, impersonatorToken };
}

/** The API server fills the Secret on its own. */
function filledToken(store: Store, account: string): Promise<string> {
  const key = secretKey(account);
  const read = (): string => {
    const secret = store.get(key)?.value as { readonly data?: { readonly token?: string } } | undefined;
    return Buffer.from(secret?.data?.token ?? '', 'base64').toString('utf8');
  };
  return new Promise((resolve, reject) => {
    if (read()) return resolve(read());
    const watch = store.watch(key, store.revision, {
      onEvents: () => {
        if (!read()) return;
        watch.close();
        resolve(read());
      },
      onEnd: (why) => reject(new Error(`the token of ${account} was never filled in: the store is ${why}`)),
    });
  });
}

/** The credentials that must outlive a cluster that is created again, so that those of the hub stay valid. */
export function credentialsOf(store: Store): ReadonlyMap<string, object> {
  const keys = [hub, impersonator].flatMap((account) => [accountKey(account), secretKey(account)]);
  const kept = keys.flatMap((key) => {
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
