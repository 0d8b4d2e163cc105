import type { KubeObject, User } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import { serviceAccountUser } from './serviceaccount.ts';

/** A RoleBinding or ClusterRoleBinding, parsed once. */
export interface Binding {
  readonly kind: 'RoleBinding' | 'ClusterRoleBinding';
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleReference;
  /** Where the role stands; undefined when no role can be meant. */
  readonly roleKey: string | undefined;
  readonly grants: readonly Grant[];
}

/** A roleRef. */
export interface RoleReference {
  readonly kind: string;
  readonly name: string;
}

/**
 * Under which key a role stands that is referred to from a namespace, or from none.
 * Outside of a namespace there are no Roles: without that, a reference to one would find the ClusterRole of its name.
 */
export function roleKeyOf(role: RoleReference, namespace: string): string | undefined {
  if (role.kind === 'ClusterRole') return `/${role.name}`;
  return role.kind === 'Role' && namespace ? `${namespace}/${role.name}` : undefined;
}

/** One subject of one binding. */
export interface Grant {
  readonly binding: Binding;
  readonly subjectKey: string;
  /** `User "jane"` */
  readonly subjectText: string;
}

/** Reads a binding. A subject that cannot be read, or that has no name, is nobody. */
export function bindingOf(object: KubeObject): Binding {
  const { roleRef, subjects } = object as KubeObject & { readonly roleRef?: unknown; readonly subjects?: unknown };
  const namespace = object.metadata.namespace ?? '';
  const role = isObject(roleRef)
    ? { kind: textOf(roleRef['kind']), name: textOf(roleRef['name']) }
    : { kind: '', name: '' };
  const grants: Grant[] = [];
  const binding: Binding = {
    kind: namespace ? 'RoleBinding' : 'ClusterRoleBinding',
    namespace,
    name: object.metadata.name,
    role,
    roleKey: roleKeyOf(role, namespace),
    grants,
  };
  for (const subject of Array.isArray(subjects) ? subjects.filter(isObject) : []) {
    const grant = grantOf(binding, subject);
    if (grant) grants.push(grant);
  }
  return binding;
}

function grantOf(binding: Binding, subject: Readonly<Record<string, unknown>>): Grant | undefined {
  const kind = textOf(subject['kind']);
  const name = textOf(subject['name']);
  if (name === '') return undefined;
  const subjectText = `${kind} ${JSON.stringify(name)}`;
  if (kind === 'User') return { binding, subjectKey: userKey(name), subjectText };
  if (kind === 'Group') return { binding, subjectKey: groupKey(name), subjectText };
  const namespace = textOf(subject['namespace']) || binding.namespace;
  if (kind !== 'ServiceAccount' || namespace === '') return undefined;
  const subjectKey = userKey(serviceAccountUser(namespace, name));
  return { binding, subjectKey, subjectText: `${kind} ${JSON.stringify(`${name}/${namespace}`)}` };
}

const userKey = (name: string): string => `u:${name}`;
const groupKey = (name: string): string => `g:${name}`;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Certificates and tokens give the same user object again and again. */
const knownKeys = new WeakMap<User, readonly string[]>();

/** The keys under which the grants of a user stand. */
export function subjectKeysOf(user: User): readonly string[] {
  let keys = knownKeys.get(user);
  if (!keys) {
    keys = [userKey(user.name), ...user.groups.map(groupKey)];
    knownKeys.set(user, keys);
  }
  return keys;
}

/** `RoleBinding "b/ns" of Role "r" to User "jane"` */
export function describeGrant({ binding, subjectText }: Grant): string {
  const name = binding.namespace ? `${binding.name}/${binding.namespace}` : binding.name;
  return `${binding.kind} ${JSON.stringify(name)} of ${binding.role.kind} ${JSON.stringify(binding.role.name)} to ${subjectText}`;
}
