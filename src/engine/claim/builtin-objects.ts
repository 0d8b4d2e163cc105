import { groupOf, isOwnGroup, isSystemNamespace } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';

interface Rule {
  readonly group: string;
  readonly is: (object: KubeObject) => boolean;
}

/** By kind; no two of these groups have a kind of the same name. */
const rules = new Map<string, Rule>([
  ['ConfigMap', { group: '', is: ({ metadata }) => metadata.name === 'kube-root-ca.crt' }],
  ['ServiceAccount', { group: '', is: (account) => account.metadata.name === 'default' && isBare(account) }],
  ['Service', { group: '', is: ({ metadata }) => metadata.name === 'kubernetes' && metadata.namespace === 'default' }],
  ['Namespace', { group: '', is: ({ metadata }) => metadata.name === 'default' || isSystemNamespace(metadata.name) }],
  ['ClusterRole', { group: 'rbac.authorization.k8s.io', is: isDefaultRole }],
  ['ClusterRoleBinding', { group: 'rbac.authorization.k8s.io', is: isDefaultRole }],
  ['PriorityClass', { group: 'scheduling.k8s.io', is: ({ metadata }) => metadata.name.startsWith('system-') }],
  [
    'CustomResourceDefinition',
    { group: 'apiextensions.k8s.io', is: ({ metadata }) => isOwnGroup(groupOfDefinition(metadata.name)) },
  ],
]);

/**
 * Tells whether every cluster has this object by itself, or whether it belongs to the hub. Sent to a member, it would
 * replace the member's own object: pods could no longer trust their API server, and a later edit of the policy would
 * remove the member's roles.
 */
export function isBuiltinObject(object: KubeObject): boolean {
  const rule = rules.get(object.kind);
  return rule !== undefined && rule.group === groupOf(object.apiVersion) && rule.is(object);
}

/** An account to which somebody has added something is theirs. */
function isBare(object: KubeObject): boolean {
  const { apiVersion: _, kind: __, metadata, ...content } = object;
  return Object.keys(content).length === 0 && !metadata.labels && !metadata.annotations;
}

/** A definition is called `plural.group`. */
const groupOfDefinition = (name: string): string => name.slice(name.indexOf('.') + 1);

const plainDefaults: ReadonlySet<string> = new Set(['cluster-admin', 'admin', 'edit', 'view']);

/** One that an API server makes when it starts; a copy under another name may still bear its label. */
function isDefaultRole({ metadata }: KubeObject): boolean {
  if (metadata.labels?.['kubernetes.io/bootstrapping'] !== 'rbac-defaults') return false;
  return plainDefaults.has(metadata.name) || metadata.name.includes(':');
}
