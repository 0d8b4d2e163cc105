import type { Cluster, KubeObject, OverridePolicy } from '../../api/index.ts';
import { equal, isObject } from '../../base/index.ts';
import { selectsCluster } from '../schedule/index.ts';
import { OverrideFailure } from './failure.ts';
import { withOverriders } from './overriders.ts';
import { appliedNotes, policyNameOf, rulesOf } from './record.ts';
import type { ActiveOverride } from './record.ts';

/** An object with its overrides, or what is wrong with one of them. */
export type Overridden =
  | { readonly object: KubeObject; readonly annotations: Readonly<Record<string, string>> }
  | { readonly error: string };

/** The rules of an override that are for this member. */
export function rulesFor({ rules }: ActiveOverride, cluster: Cluster): ActiveOverride['rules'] {
  return rules.filter(({ targetCluster }) => !targetCluster || selectsCluster(targetCluster, cluster));
}

/** Tells whether the policy has a rule for this member. */
export function isForCluster({ spec }: OverridePolicy, cluster: Cluster): boolean {
  return rulesOf(spec).some(({ targetCluster }) => !targetCluster || selectsCluster(targetCluster, cluster));
}

/** The object as one member gets it, and Karmada's notes of what was applied. */
export function overridden(object: KubeObject, overrides: readonly ActiveOverride[], cluster: Cluster): Overridden {
  const steps = overrides.flatMap((policy) =>
    rulesFor(policy, cluster).map(({ overriders }) => ({ policy, overriders })),
  );
  let changed = object;
  for (const { policy, overriders } of steps) {
    const next = attempted(() => checked(withOverriders(changed, overriders), object));
    if ('error' in next) return { error: `${policyNameOf(policy)}: ${next.error}` };
    changed = next.object;
  }
  const notes = steps.map(({ policy, overriders }) => ({
    kind: policy.kind,
    note: { policyName: policy.name, overriders },
  }));
  return { object: changed, annotations: appliedNotes(notes) };
}

function attempted(make: () => KubeObject): { readonly object: KubeObject } | { readonly error: string } {
  try {
    return { object: make() };
  } catch (error) {
    if (error instanceof OverrideFailure) return { error: error.message };
    throw error;
  }
}

const identity = ['apiVersion', 'kind'] as const;

/** An override changes an object, it does not make another one: that might be somebody else's. */
function checked(changed: KubeObject, { metadata: { name, namespace }, ...object }: KubeObject): KubeObject {
  const metadata: unknown = changed.metadata;
  if (!isObject(metadata)) throw new OverrideFailure('metadata must be an object');
  for (const field of identity) if (changed[field] !== object[field]) throw renamed(field);
  if (metadata['name'] !== name) throw renamed('metadata.name');
  if (!equal(metadata['namespace'], namespace)) throw renamed('metadata.namespace');
  for (const field of ['labels', 'annotations']) {
    if (!isTexts(metadata[field])) throw new OverrideFailure(`metadata.${field} must be a map of texts`);
  }
  return changed;
}

const renamed = (field: string): OverrideFailure => new OverrideFailure(`${field} must stay as it is`);

function isTexts(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.values(value).every((text) => typeof text === 'string'));
}
