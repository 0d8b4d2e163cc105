import { hasReason } from '../api/index.ts';
import type { KubeObject, LabelSelector, ResourceName, Objects } from '../api/index.ts';
import { equal } from '../base/index.ts';
import { autoUpdate, bindingObject, defaultBindings, defaultRoles, roleObject } from './defaults.ts';
import { rbacResources } from './rbac.ts';
import { missingRules, rulesOf } from './rule.ts';
import type { Writer } from './writer.ts';

/** A cluster role as it is stored. */
export interface ClusterRole extends KubeObject {
  readonly rules?: readonly unknown[];
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] };
}

interface ClusterRoleBinding extends KubeObject {
  readonly subjects?: readonly unknown[];
  readonly roleRef?: unknown;
}

/**
 * Brings the default roles and bindings up to date: what is missing is made, missing rules, subjects, labels and
 * annotations are added. What somebody has added stays; an object with autoupdate "false" is left alone.
 */
export async function ensureDefaults(objects: Pick<Objects, 'get'>, writer: Writer): Promise<void> {
  const ensure = (resource: ResourceName, wanted: object, merge: Merge): Promise<void> =>
    ensureOne({ objects, writer, resource, wanted: wanted as KubeObject, merge });
  for (const role of defaultRoles) await ensure(rbacResources.clusterRoles, roleObject(role), mergedRole);
  for (const binding of defaultBindings)
    await ensure(rbacResources.clusterRoleBindings, bindingObject(binding), mergedBinding);
}

type Merge = (present: KubeObject, wanted: KubeObject) => KubeObject;

interface Ensured {
  readonly objects: Pick<Objects, 'get'>;
  readonly writer: Writer;
  readonly resource: ResourceName;
  readonly wanted: KubeObject;
  readonly merge: Merge;
}

async function ensureOne(ensured: Ensured, attempts = 3): Promise<void> {
  const { objects, writer, resource, wanted, merge } = ensured;
  const present = objects.get(resource, '', wanted.metadata.name);
  try {
    if (!present) return await writer.create(resource, wanted);
    if (present.metadata.annotations?.[autoUpdate] === 'false') return;
    const merged = merge({ ...present, metadata: mergedMetadata(present, wanted) }, wanted);
    if (!equal(merged, present)) await writer.replace(resource, merged);
  } catch (error) {
    if (!isRace(error) || attempts <= 1) throw error;
    await ensureOne(ensured, attempts - 1);
  }
}

/** Somebody else has made, changed or removed it since we looked. */
const isRace = (error: unknown): boolean =>
  hasReason(error, 'AlreadyExists') || hasReason(error, 'Conflict') || hasReason(error, 'NotFound');

const mergedMetadata = (present: KubeObject, wanted: KubeObject): KubeObject['metadata'] => ({
  ...present.metadata,
  labels: { ...wanted.metadata.labels, ...present.metadata.labels },
  annotations: { ...wanted.metadata.annotations, ...present.metadata.annotations },
});

/** An earlier release let everybody with `view` read Works, and through them every Secret of the fleet. */
function withoutRetired(role: ClusterRole): ClusterRole {
  if (role.metadata.name !== 'sluice:aggregate-to-view') return role;
  const kept = role.rules?.filter((rule) => {
    const { apiGroups } = rule as { readonly apiGroups?: unknown };
    return !equal(apiGroups, ['work.karmada.io']);
  });
  return kept?.length === role.rules?.length ? role : { ...role, rules: kept ?? [] };
}

function mergedRole(present: ClusterRole, wanted: ClusterRole): ClusterRole {
  const selectors = wanted.aggregationRule?.clusterRoleSelectors ?? [];
  const { aggregationRule, ...plain } = withoutRetired(present);
  if (selectors.length > 0) {
    const kept = aggregationRule?.clusterRoleSelectors ?? [];
    const added = selectors.filter((selector) => !kept.some((other) => equal(selector, other)));
    return { ...plain, aggregationRule: { ...aggregationRule, clusterRoleSelectors: [...kept, ...added] } };
  }
  const missing = missingRules(rulesOf(plain.rules), rulesOf(wanted.rules)).map((rule) =>
    Object.fromEntries(Object.entries(rule).filter(([, values]) => (values as readonly string[]).length > 0)),
  );
  return missing.length === 0 ? plain : { ...plain, rules: [...(plain.rules ?? []), ...missing] };
}

/** A roleRef cannot be changed; a default binding that was pointed elsewhere is somebody's decision and stays. */
function mergedBinding(present: ClusterRoleBinding, wanted: ClusterRoleBinding): ClusterRoleBinding {
  if (!equal(present.roleRef, wanted.roleRef)) return present;
  const kept = present.subjects ?? [];
  const added = (wanted.subjects ?? []).filter((subject) => !kept.some((other) => equal(subject, other)));
  return added.length === 0 ? present : { ...present, subjects: [...kept, ...added] };
}
