import type { KubeObject, Objects, ResourceName, User } from '../api/index.ts';
import { combinedResource, isResourceRequest } from './attributes.ts';
import type { Attributes } from './attributes.ts';
import { bindingOf, describeGrant, roleKeyOf, subjectKeysOf } from './binding.ts';
import type { Binding, Grant, RoleReference } from './binding.ts';
import { ruleAllows, rulesOf } from './rule.ts';
import type { PolicyRule } from './rule.ts';
import { mastersGroup } from './serviceaccount.ts';

/** A decision; `reason` names the binding that allows it, or the obstacle, and is composed only when read. */
export interface Permission {
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
  decide(user: User, attributes: Attributes): Permission;
  /** All rules of a user in a namespace, those of the whole cluster included; '' for those of the whole cluster only. */
  rulesFor(user: User, namespace: string): RulesAnswer;
  /** The rules of the role that a binding refers to; undefined when the role does not exist. */
  rulesOfRole(reference: RoleReference, namespace: string): readonly PolicyRule[] | undefined;
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

const masters: Permission = { allowed: true, reason: '' };
const wholeCluster = '';
const noObject: KubeObject = { apiVersion: '', kind: '', metadata: { name: '' } };

/** Follows the roles and bindings and keeps them indexed: a decision looks at the bindings of the user and nobody else's. */
export function openRbac(objects: Pick<Objects, 'follow'>): Rbac {
  const roles = new Map<string, Role>();
  const scopes = new Map<string, BySubject>();
  const stops = [
    ...[rbacResources.clusterRoles, rbacResources.roles].map((resource) =>
      objects.follow(resource, ({ before, after }) => {
        const { namespace = '', name } = (after ?? before ?? noObject).metadata;
        const key = `${namespace}/${name}`;
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
  const index: Index = { scopes, roles };
  return {
    decide: (user, attributes) => decide(index, user, attributes),
    rulesFor: (user, namespace) => rulesFor(index, user, namespace),
    rulesOfRole: (reference, namespace) => roles.get(roleKeyOf(reference, namespace) ?? '')?.rules,
    close: () => {
      for (const stop of stops) stop();
    },
  };
}

interface Index {
  readonly scopes: ReadonlyMap<string, BySubject>;
  readonly roles: ReadonlyMap<string, Role>;
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

/** The grants of a user, those of the whole cluster first. */
function grantsOf({ scopes }: Index, user: User, namespace: string): readonly Grant[] {
  const found: Grant[] = [];
  const keys = subjectKeysOf(user);
  collect(scopes.get(wholeCluster), keys, found);
  if (namespace !== wholeCluster) collect(scopes.get(namespace), keys, found);
  return found;
}

function collect(bySubject: BySubject | undefined, keys: readonly string[], found: Grant[]): void {
  if (!bySubject) return;
  for (const key of keys) {
    const grants = bySubject.get(key);
    for (const grant of grants?.values() ?? []) found.push(grant);
  }
}

function decide(index: Index, user: User, attributes: Attributes): Permission {
  if (user.groups.includes(mastersGroup)) return masters;
  const namespace = isResourceRequest(attributes) ? attributes.namespace : wholeCluster;
  const key = requestKey(attributes);
  for (const grant of grantsOf(index, user, namespace)) {
    if (roleOfBinding(index, grant.binding)?.allows(attributes, key)) return allowedBy(grant);
  }
  return refused(index, user, namespace);
}

const roleOfBinding = ({ roles }: Index, { roleKey }: Binding): Role | undefined =>
  roleKey === undefined ? undefined : roles.get(roleKey);

const refused = (index: Index, user: User, namespace: string): Permission => ({
  allowed: false,
  get reason() {
    const { errors } = rulesFor(index, user, namespace);
    return errors.length === 0 ? '' : `RBAC: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`;
  },
});

const allowedBy = (grant: Grant): Permission => ({
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
    const role = roleOfBinding(index, binding);
    for (const rule of role?.rules ?? []) rules.push(rule);
    if (!role) errors.add(`${binding.role.kind.toLowerCase()}.${group} "${binding.role.name}" not found`);
  }
  return { rules, errors: [...errors] };
}

/** The rules of one role, arranged so that a question meets only the few rules that could answer it. */
export interface Role {
  readonly rules: readonly PolicyRule[];
  /** `key` is the request's, for callers that ask several roles. */
  allows(attributes: Attributes, key?: string): boolean;
}

/**
 * Arranges rules by group and resource.
 * Guarantee: says exactly what asking `ruleAllows` of every rule would say.
 */
export function roleOf(rules: readonly PolicyRule[]): Role {
  const exact = new Map<string, PolicyRule[]>();
  for (const rule of rules) {
    for (const key of keysOf(rule)) {
      const list = exact.get(key);
      if (list) list.push(rule);
      else exact.set(key, [rule]);
    }
  }
  const broad = rules.filter(isBroad);
  const urls = rules.filter((rule) => rule.nonResourceURLs.length > 0);
  return {
    rules,
    allows(attributes, key = requestKey(attributes)) {
      if (!isResourceRequest(attributes)) return anyAllows(urls, attributes);
      const candidates = exact.get(key);
      return (candidates !== undefined && anyAllows(candidates, attributes)) || anyAllows(broad, attributes);
    },
  };
}

/** Under which the rules stand that name what a request is about. */
export function requestKey(attributes: Attributes): string {
  return isResourceRequest(attributes) ? `${attributes.group}|${combinedResource(attributes)}` : '';
}

function anyAllows(rules: readonly PolicyRule[], attributes: Attributes): boolean {
  for (const rule of rules) if (ruleAllows(rule, attributes)) return true;
  return false;
}

/** A star among its groups or resources makes a rule cover resources that it does not name. */
const isBroad = (rule: PolicyRule): boolean =>
  rule.apiGroups.includes('*') || rule.resources.some((name) => name.startsWith('*'));

const keysOf = (rule: PolicyRule): string[] =>
  rule.apiGroups.flatMap((group) => rule.resources.map((resource) => `${group}|${resource}`));
