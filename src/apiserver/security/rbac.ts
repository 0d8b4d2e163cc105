import type { KubeObject, ResourceName } from '../../api/index.ts';
import type { User } from '../http.ts';
import type { Attributes } from './attributes.ts';
import { isResourceRequest } from './attributes.ts';
import { bindingOf, describeGrant, subjectKeysOf } from './binding.ts';
import type { Binding, Grant } from './binding.ts';
import type { Objects } from './objects.ts';
import { roleOf } from './role.ts';
import type { Role } from './role.ts';
import { rulesOf } from './rule.ts';
import type { PolicyRule } from './rule.ts';
import { mastersGroup } from './serviceaccount.ts';

/** What was decided; `reason` says by which binding, or what was in the way, and is composed only when read. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Rules that apply to a user, and the roles that bindings name and nobody has made. */
export interface RulesAnswer {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly string[];
}

/** Decides from the roles and bindings as they are now. */
export interface Rbac {
  decide(user: User, attributes: Attributes): Decision;
  /** All rules of a user in a namespace, those of the whole cluster included; '' for those of the whole cluster only. */
  rulesFor(user: User, namespace: string): RulesAnswer;
  /** The rules of the role that a binding refers to; undefined when there is no such role. */
  rulesOfRole(reference: Binding['role'], namespace: string): readonly PolicyRule[] | undefined;
  close(): void;
}

const group = 'rbac.authorization.k8s.io';
/** The resources of RBAC. */
export const rbacResources = {
  clusterRoles: { group, plural: 'clusterroles' },
  roles: { group, plural: 'roles' },
  clusterRoleBindings: { group, plural: 'clusterrolebindings' },
  roleBindings: { group, plural: 'rolebindings' },
} as const satisfies Readonly<Record<string, ResourceName>>;

/** The grants of one namespace (or of the cluster): by subject, then by the name of their binding. */
type BySubject = Map<string, Map<string, Grant>>;

const masters: Decision = { allowed: true, reason: '' };
const wholeCluster = '';

/** Follows the roles and bindings and keeps them indexed: a decision looks at the bindings of the user and nobody else's. */
export function openRbac(objects: Pick<Objects, 'follow'>): Rbac {
  const roles = new Map<string, Role>();
  const scopes = new Map<string, BySubject>();
  const stops = [
    ...[rbacResources.clusterRoles, rbacResources.roles].map((resource) =>
      objects.follow(resource, ({ before, after }) => {
        const key = roleKey((after ?? before)?.metadata ?? { name: '' });
        if (after) roles.set(key, roleOf(rulesOf((after as KubeObject & { readonly rules?: unknown }).rules)));
        else roles.delete(key);
      }),
    ),
    ...[rbacResources.clusterRoleBindings, rbacResources.roleBindings].map((resource) =>
      objects.follow(resource, ({ before, after }) => {
        if (before) forget(scopes, bindingOf(before));
        if (after) learn(scopes, bindingOf(after));
      }),
    ),
  ];
  const roleFor = (role: Binding['role'], namespace: string): Role | undefined => {
    if (role.kind === 'ClusterRole') return roles.get(roleKey({ name: role.name }));
    // Outside of a namespace there are no Roles; without this a reference to one would find the ClusterRole of its name.
    return role.kind === 'Role' && namespace ? roles.get(roleKey({ namespace, name: role.name })) : undefined;
  };
  return {
    decide: (user, attributes) => decide({ scopes, roleFor }, user, attributes),
    rulesFor: (user, namespace) => rulesFor({ scopes, roleFor }, user, namespace),
    rulesOfRole: (reference, namespace) => roleFor(reference, namespace)?.rules,
    close: () => {
      for (const stop of stops) stop();
    },
  };
}

const roleKey = (of: { readonly namespace?: string; readonly name: string }): string =>
  `${of.namespace ?? ''}/${of.name}`;

interface Index {
  readonly scopes: ReadonlyMap<string, BySubject>;
  readonly roleFor: (role: Binding['role'], namespace: string) => Role | undefined;
}

function learn(scopes: Map<string, BySubject>, binding: Binding): void {
  const bySubject = scopes.get(binding.namespace) ?? new Map<string, Map<string, Grant>>();
  scopes.set(binding.namespace, bySubject);
  for (const grant of binding.grants) {
    const grants = bySubject.get(grant.subjectKey);
    if (grants) grants.set(binding.name, grant);
    else bySubject.set(grant.subjectKey, new Map([[binding.name, grant]]));
  }
}

function forget(scopes: Map<string, BySubject>, binding: Binding): void {
  const bySubject = scopes.get(binding.namespace);
  if (!bySubject) return;
  for (const { subjectKey } of binding.grants) {
    const grants = bySubject.get(subjectKey);
    grants?.delete(binding.name);
    if (grants?.size === 0) bySubject.delete(subjectKey);
  }
  if (bySubject.size === 0) scopes.delete(binding.namespace);
}

function* grantsOf({ scopes }: Index, user: User, namespace: string): Generator<Grant> {
  const keys = subjectKeysOf(user);
  for (const scope of namespace === wholeCluster ? [wholeCluster] : [wholeCluster, namespace]) {
    const bySubject = scopes.get(scope);
    if (!bySubject) continue;
    for (const key of keys) yield* bySubject.get(key)?.values() ?? [];
  }
}

function decide(index: Index, user: User, attributes: Attributes): Decision {
  if (user.groups.includes(mastersGroup)) return masters;
  const namespace = isResourceRequest(attributes) ? attributes.namespace : wholeCluster;
  for (const grant of grantsOf(index, user, namespace)) {
    if (index.roleFor(grant.binding.role, grant.binding.namespace)?.allows(attributes) === true)
      return allowedBy(grant);
  }
  return {
    allowed: false,
    get reason() {
      const { errors } = rulesFor(index, user, namespace);
      return errors.length === 0 ? '' : `RBAC: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`;
    },
  };
}

const allowedBy = (grant: Grant): Decision => ({
  allowed: true,
  get reason() {
    return `RBAC: allowed by ${describeGrant(grant)}`;
  },
});

function rulesFor(index: Index, user: User, namespace: string): RulesAnswer {
  const rules: PolicyRule[] = [];
  const errors = new Set<string>();
  const seen = new Set<Binding>();
  for (const { binding } of grantsOf(index, user, namespace)) {
    if (seen.has(binding)) continue;
    seen.add(binding);
    const role = index.roleFor(binding.role, binding.namespace);
    if (role) rules.push(...role.rules);
    else errors.add(`${binding.role.kind.toLowerCase()}.${group} "${binding.role.name}" not found`);
  }
  return { rules, errors: [...errors] };
}
