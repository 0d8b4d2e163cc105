import { impersonator, impersonatorRole, impersonatorSecretRef } from '../api/index.ts';
import type { KubeObject, OwnerReference, Ref } from '../api/index.ts';
import { isNotFound } from '../client/index.ts';
import type { ApiClient, DeleteOptions } from '../client/index.ts';
import type { ObjectWriter } from './object-writer.ts';
import { fetchToken } from './membertoken.ts';
import type { GrantedToken } from './membertoken.ts';

/** The namespace, on the hub and in members, of what belongs to membership. */
export const home = 'karmada-cluster';
/** Marks what the system made for itself. */
export const systemLabels = { 'karmada.io/system': 'true' };
const roles = 'rbac.authorization.k8s.io';

/** The identity of a cluster: the uid of a namespace that every cluster has and nobody deletes. */
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

/**
 * The account that owns them: a user who impersonates it can remove all of them with one deletion, and not only a part.
 */
function accountObjects(name: string, role: KubeObject): readonly object[] {
  const account = accountOf(name);
  const { kind, metadata } = role;
  const ownerReferences = [ownerOf(role)];
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: account, namespace: home, labels: systemLabels, ownerReferences },
    },
    {
      apiVersion: `${roles}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: metadata.name, labels: systemLabels, ownerReferences },
      roleRef: { apiGroup: roles, kind, name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: home }],
    },
  ];
}

/** The namespace of what belongs to membership. */
export const homeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home, labels: systemLabels } };

/** Makes the accounts of the hub in a member and returns their tokens. A hand that does not write returns an empty one. */
export async function grantAccess(member: ApiClient, name: string, hand: ObjectWriter): Promise<Granted> {
  await hand.put(homeObject);
  const role = await hand.put(roleOf(name));
  for (const object of accountObjects(name, role)) await hand.put(object);
  const owner = ownerOf(role);
  for (const object of impersonatorObjects(owner)) await hand.put(object);
  if (!hand.writes) return { token: '', impersonatorToken: '' };
  const { token: impersonatorToken, ends: sooner } = await fetchToken(member, { ...impersonator, owner });
  const { token, ends = sooner } = await fetchToken(member, { namespace: home, name: accountOf(name), owner });
  return { token, impersonatorToken, ...(ends !== undefined && { ends }) };
}

/** The tokens of the accounts by which the hub enters a member. */
export interface Granted extends GrantedToken {
  /** The token of the account that impersonates users for the cluster proxy. */
  readonly impersonatorToken: string;
}

/** The account that takes on users. */
function impersonatorObjects(owner: OwnerReference): readonly object[] {
  const ownerReferences = [owner];
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...impersonator, labels: systemLabels } };
  return [account, ...impersonatorRole(impersonator, systemLabels)].map(({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, ownerReferences },
  }));
}

const ownerOf = ({ apiVersion, kind, metadata }: KubeObject): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
});

/** Tells whether an earlier join gave the hub access to this member. */
export async function hasAccess(member: ApiClient, name: string): Promise<boolean> {
  return (await member.find(roleRef(name))) !== undefined;
}

/** Takes the account and its rights away again, or only tries; answers with what all of it belongs to, if it was there. */
export async function revokeAccess(member: ApiClient, name: string, dryRun = false): Promise<Ref | undefined> {
  const ref = roleRef(name);
  return (await deleteIfThere(member, ref, { propagationPolicy: 'Background', dryRun })) ? ref : undefined;
}

/** The Secrets of a member on the hub. */
export const secretsOf = (name: string): readonly Ref[] =>
  [{ namespace: home, name }, impersonatorSecretRef(name)].map((place) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    ...place,
  }));

/** Deletes an object, or only tries; false when it does not exist. */
export async function deleteIfThere(client: ApiClient, ref: Ref, options: DeleteOptions): Promise<boolean> {
  try {
    await client.delete(ref, options);
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}
