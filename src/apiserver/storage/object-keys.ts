import type { KindInfo } from '../../api/index.ts';

/** Under which everything of the hub is stored. */
export const registry = '/registry/';

type Resource = Pick<KindInfo, 'group' | 'plural' | 'storageGroup'>;

/** `/registry/apps/deployments/`: all objects of a resource. */
export function resourcePrefix(kind: Resource): string {
  return `${registry}${(kind.storageGroup ?? kind.group) || 'core'}/${kind.plural}/`;
}

/** All objects of a resource in one namespace; in every namespace, or of a cluster-scoped resource, when it is empty. */
export function namespacePrefix(kind: Resource, namespace: string): string {
  return namespace ? `${resourcePrefix(kind)}${namespace}/` : resourcePrefix(kind);
}

/** `/registry/apps/deployments/default/web`, `/registry/core/nodes/n1` */
export function objectKey(kind: Resource, namespace: string, name: string): string {
  return `${namespacePrefix(kind, namespace)}${name}`;
}

/** The parts of a key of the store. */
export interface KeyParts {
  readonly group: string;
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
}

/** The parts of a key; undefined for keys that are not of this shape. */
export function partsOfKey(key: string): KeyParts | undefined {
  const [, root, group = '', plural, first, second] = key.split('/');
  if (root !== 'registry' || !plural || first === undefined) return undefined;
  const named = second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
  return { group: group === 'core' ? '' : group, plural, ...named };
}

/** Tells whether an object is an Event or a Lease. They are written again and again; a hub can do without old ones. */
export function isExpendable(key: string): boolean {
  const { group, plural } = partsOfKey(key) ?? {};
  if (plural === 'events') return group === '' || group === 'events.k8s.io';
  return plural === 'leases' && group === 'coordination.k8s.io';
}
