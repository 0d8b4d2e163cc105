import type { KubeObject, Ref } from '../api/index.ts';
import { isNotFound } from '../client/index.ts';
import type { ApiClient, DeleteOptions } from '../client/index.ts';
import { Failure } from './failure.ts';
import type { Hand } from './hand.ts';
import { pollUntil } from './poll.ts';

/** The namespace, on the hub and in members, of what belongs to membership. */
export const home = 'karmada-cluster';
/** Marks what the system made for itself. */
export const systemLabels = { 'karmada.io/system': 'true' };
const roles = 'rbac.authorization.k8s.io';

/** What tells one cluster from another: the uid of a namespace that every cluster has and nobody deletes. */
export async function clusterIdOf(member: ApiClient): Promise<string> {
  const { metadata } = await member.get({ apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' });
  return metadata.uid ?? '';
}

const accountOf = (name: string): string => `karmada-${name}`;
const roleRef = (name: string) =>
  ({ apiVersion: `${roles}/v1`, kind: 'ClusterRole', name: `karmada-controller-manager:${accountOf(name)}` }) as const;

/** The rights of the hub in a member. Everything else belongs to this object and goes with it. */
function roleOf(name: string): object {
  const { name: role, ...kind } = roleRef(name);
  const rules = [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['get'] },
  ];
  return { ...kind, metadata: { name: role, labels: systemLabels }, rules };
}

/** The account that has them: whoever works as it can take all of it away with one deletion, and not only a part. */
function accountObjects(name: string, role: KubeObject): readonly object[] {
  const account = accountOf(name);
  const { apiVersion, kind, metadata } = role;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' }];
  const owned = { name: account, namespace: home, labels: systemLabels, ownerReferences };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: owned },
    {
      apiVersion: `${roles}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: metadata.name, labels: systemLabels, ownerReferences },
      roleRef: { apiGroup: roles, kind, name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: home }],
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...owned, annotations: { 'kubernetes.io/service-account.name': account } },
      type: 'kubernetes.io/service-account-token',
    },
  ];
}

const patience = { wait: 30_000, signal: new AbortController().signal };

/** The namespace of what belongs to membership. */
export const homeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home, labels: systemLabels } };

/**
 * Makes the account of the hub in a member and answers with its token, which is good as long as its Secret is there. A hand
 * that does not write gets the token that there is, if any.
 */
export async function grantAccess(member: ApiClient, name: string, hand: Hand): Promise<string> {
  await hand.put(homeObject);
  const role = await hand.put(roleOf(name));
  for (const object of accountObjects(name, role)) await hand.put(object);
  let token = await tokenIn(member, name);
  if (!hand.writes) return token;
  await pollUntil(patience, async () => (token ||= await tokenIn(member, name)) !== '');
  if (token === '')
    throw new Failure(`the cluster made no token for the account karmada-${name}: is its token controller off?`);
  return token;
}

async function tokenIn(member: ApiClient, name: string): Promise<string> {
  const ref = { apiVersion: 'v1', kind: 'Secret', namespace: home, name: accountOf(name) };
  const secret = await member.find<KubeObject & { readonly data?: Readonly<Record<string, string>> }>(ref);
  return Buffer.from(secret?.data?.['token'] ?? '', 'base64').toString('utf8');
}

/** Takes the account and its rights away again, or only tries; answers with what all of it belongs to, if it was there. */
export async function revokeAccess(member: ApiClient, name: string, dryRun = false): Promise<Ref | undefined> {
  const ref = roleRef(name);
  return (await deleteIfThere(member, ref, { propagationPolicy: 'Background', dryRun })) ? ref : undefined;
}

/** Deletes an object, or only tries; false when there is none. */
export async function deleteIfThere(client: ApiClient, ref: Ref, options: DeleteOptions): Promise<boolean> {
  try {
    await client.delete(ref, options);
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}
