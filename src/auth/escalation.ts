import { forbidden, notFound } from '../api/index.ts';
import type { KubeObject, ResourceName, User } from '../api/index.ts';
import { equal } from '../base/index.ts';
import { bindingOf } from './binding.ts';
import type { ClusterRole } from './bootstrap.ts';
import { rbacResources } from './rbac.ts';
import type { Rbac } from './rbac.ts';
import { describeRules, missingRules, quotedList, rulesOf } from './rule.ts';
import type { PolicyRule } from './rule.ts';
import { mastersGroup } from './serviceaccount.ts';

/** A write of any object that is about to happen. */
export interface GuardedWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: { readonly group: string; readonly plural: string };
  readonly namespace: string;
  readonly name: string;
  readonly object?: KubeObject;
  readonly old?: KubeObject;
  readonly user: User;
}

const all = ['*'];
const fullAuthority: readonly PolicyRule[] = [
  { verbs: all, apiGroups: all, resources: all, resourceNames: [], nonResourceURLs: [] },
  { verbs: all, apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: all },
];

/**
 * Throws 403 when a write to a role or a binding would grant permissions that its author does not have: to write a role
 * one needs all that is in it, or `escalate` on it; to bind one, all that is in it, or `bind` on it.
 */
export function refuseEscalation(rbac: Omit<Rbac, 'close'>, write: GuardedWrite): void {
  const { kind, object, old, user } = write;
  if (kind.group !== rbacResources.roles.group || !object || user.groups.includes(mastersGroup)) return;
  if (old && onlyHousekeeping(object, old)) return;
  if (kind.plural === 'roles' || kind.plural === 'clusterroles') refuseRole(rbac, write, object);
  if (kind.plural === 'rolebindings' || kind.plural === 'clusterrolebindings') refuseBinding(rbac, write, object);
}

/** Garbage collection edits owners and finalizers of whatever it finds; that gives nobody a right. */
const onlyHousekeeping = (object: KubeObject, old: KubeObject): boolean => equal(essenceOf(object), essenceOf(old));

function essenceOf({ metadata, ...rest }: KubeObject): object {
  const { ownerReferences: _o, finalizers: _f, managedFields: _m, resourceVersion: _r, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

function refuseRole(rbac: Omit<Rbac, 'close'>, write: GuardedWrite, object: KubeObject): void {
  const { user, namespace, kind } = write;
  // A creation has no name yet when it is authorized, so a rule for certain names does not allow it.
  const name = write.operation === 'CREATE' ? '' : write.name;
  const target = { group: kind.group, resource: kind.plural, subresource: '', namespace, name };
  if (rbac.decide(user, { verb: 'escalate', ...target }).allowed) return;
  refuseGrant(rbac, write, rulesOf((object as ClusterRole).rules));
  if (!aggregates(object) && !(write.old && aggregates(write.old))) return;
  if (missingRules(rbac.rulesFor(user, namespace).rules, fullAuthority).length > 0)
    throw forbidden(kind, write.name, 'must have cluster-admin privileges to use the aggregationRule');
}

const aggregates = (object: KubeObject): boolean =>
  ((object as ClusterRole).aggregationRule?.clusterRoleSelectors ?? []).length > 0;

function refuseBinding(rbac: Omit<Rbac, 'close'>, write: GuardedWrite, object: KubeObject): void {
  const { user, namespace } = write;
  const { role } = bindingOf(object);
  const roles: ResourceName | undefined =
    { Role: rbacResources.roles, ClusterRole: rbacResources.clusterRoles }[role.kind] ?? undefined;
  // An unknown kind of role grants nothing; validation refuses it with better words.
  if (!roles) return;
  const target = { group: roles.group, resource: roles.plural, subresource: '', namespace, name: role.name };
  if (rbac.decide(user, { verb: 'bind', ...target }).allowed) return;
  const rules = rbac.rulesOfRole(role, namespace);
  if (!rules) throw notFound(roles, role.name);
  refuseGrant(rbac, write, rules);
}

function refuseGrant(rbac: Omit<Rbac, 'close'>, write: GuardedWrite, rules: readonly PolicyRule[]): void {
  const { user, namespace, kind, name } = write;
  const own = rbac.rulesFor(user, namespace);
  const missing = missingRules(own.rules, rules);
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(user.name)} (groups=${quotedList(user.groups)})`;
  const unresolved = own.errors.length > 0 ? `; resolution errors: [${own.errors.join(', ')}]` : '';
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}${unresolved}`;
  throw forbidden(kind, name, why);
}
