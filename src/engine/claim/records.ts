import { inEffectAnnotation, policyFamilies, scopeOf } from '../../api/index.ts';
import type { Binding, KubeObject, ObjectMeta, Policy, PolicyFamily } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';

/** The claim on a template: the policy that manages it. */
export interface Claim {
  readonly family: PolicyFamily;
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
}

const families = [policyFamilies.namespace, policyFamilies.cluster] as const;

/** All keys with which a claim is written. */
export const claimKeys: ReadonlySet<string> = new Set(
  families.flatMap((family) => [family.idLabel, family.nameAnnotation, family.namespaceAnnotation ?? family.idLabel]),
);

/** The claim on a template or binding; one that is only partly there counts as none. */
export function claimOf(object: KubeObject): Claim | undefined {
  const { labels, annotations } = object.metadata;
  if (!labels || !annotations) return undefined;
  for (const family of families) {
    const id = labels[family.idLabel];
    const name = annotations[family.nameAnnotation];
    if (!id || !name) continue;
    if (!family.namespaceAnnotation) return { family, id, name };
    const namespace = annotations[family.namespaceAnnotation];
    if (namespace) return { family, id, name, namespace };
  }
  return undefined;
}

/** Tells whether the object carries any key of a claim, even a broken one. */
export function bearsClaimKeys(object: KubeObject): boolean {
  const { labels, annotations } = object.metadata;
  for (const key of claimKeys) if (labels?.[key] !== undefined || annotations?.[key] !== undefined) return true;
  return false;
}

/** The permanent id of a policy. */
export function policyIdOf(policy: Policy): string | undefined {
  return policy.metadata.labels?.[policyFamilies[scopeOf(policy)].idLabel];
}

/** Tells whether changes of this policy wait for the templates. */
export function isLazy({ spec }: Policy): boolean {
  return spec.activationPreference === 'Lazy';
}

/** Tells whether this is the claim of this very policy, not of an earlier one with the same name. */
export function isClaimOf(claim: Claim | undefined, policy: Policy): boolean {
  return claim !== undefined && claim.id === policyIdOf(policy) && claim.name === policy.metadata.name;
}

/** The labels and annotations that record which policy manages the object. */
export function claimMetadata(policy: Policy): Required<Pick<ObjectMeta, 'labels' | 'annotations'>> {
  const family = policyFamilies[scopeOf(policy)];
  const { name, namespace } = policy.metadata;
  return {
    labels: { [family.idLabel]: policyIdOf(policy) ?? '' },
    annotations: {
      ...(family.namespaceAnnotation && namespace && { [family.namespaceAnnotation]: namespace }),
      [family.nameAnnotation]: name,
    },
  };
}

/** The map without the keys of any claim; the same map when it has none. */
export function withoutClaim(map: ObjectMeta['labels']): Record<string, string> {
  const others: Record<string, string> = {};
  for (const key in map) if (!claimKeys.has(key)) others[key] = map[key] ?? '';
  return others;
}

/** The map with these keys and no other claim; the same map when it says so already. */
export function claimedBy(map: ObjectMeta['labels'], claim: Readonly<Record<string, string>>): Record<string, string> {
  return map && says(map, claim) ? map : { ...withoutClaim(map), ...claim };
}

function says(map: Readonly<Record<string, string>>, claim: Readonly<Record<string, string>>): boolean {
  for (const key in claim) if (map[key] !== claim[key]) return false;
  for (const key of claimKeys) if (map[key] !== undefined && claim[key] === undefined) return false;
  return true;
}

/** The state that a binding reflects: the policy and its generation, the content of the template, and the request. */
export interface InEffect {
  readonly policy: {
    readonly kind: Policy['kind'];
    readonly namespace?: string;
    readonly name: string;
    readonly id: string;
  };
  readonly generation: number;
  readonly template: string;
  readonly request?: string;
}

const read = new WeakMap<ObjectMeta, InEffect | 'none'>();

/** The record of what a binding reflects; undefined on bindings that no policy wrote. */
export function inEffectOf(binding: Binding | undefined): InEffect | undefined {
  if (!binding) return undefined;
  const known = read.get(binding.metadata);
  if (known) return known === 'none' ? undefined : known;
  const record = recordIn(binding.metadata.annotations?.[inEffectAnnotation]);
  read.set(binding.metadata, record ?? 'none');
  return record;
}

const stamp = '"template":"';
const remembered = 10_000;
const forms = new Map<string, InEffect | undefined>();

/**
 * Parses the record of a binding. Records of one policy differ by the template's fingerprint alone: the rest is parsed
 * once and shared.
 */
export function recordIn(text: string | undefined): InEffect | undefined {
  if (text === undefined) return undefined;
  const start = text.indexOf(stamp) + stamp.length;
  const end = text.indexOf('"', start);
  if (start < stamp.length || end < start || text.includes('\\')) return parsed(text);
  const form = formOf(text.slice(0, start) + text.slice(end));
  return form?.template === '' ? { ...form, template: text.slice(start, end) } : parsed(text);
}

function formOf(text: string): InEffect | undefined {
  const known = forms.get(text);
  if (known || forms.has(text)) return known;
  const form = parsed(text);
  if (forms.size >= remembered) forms.clear();
  forms.set(text, form);
  return form;
}

function parsed(text: string): InEffect | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isInEffect(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Others can write annotations too: a text without policy and content is not a record. */
function isInEffect(value: unknown): value is InEffect {
  if (!isObject(value) || !isObject(value['policy']) || typeof value['template'] !== 'string') return false;
  const { kind, name, id } = value['policy'];
  return [kind, name, id].every((part) => typeof part === 'string');
}

/** The record to write when a binding takes up a policy. */
export function inEffectRecord(policy: Policy, template: string, request: string | undefined): InEffect {
  const { name, namespace, generation } = policy.metadata;
  return {
    policy: { kind: policy.kind, ...(namespace && { namespace }), name, id: policyIdOf(policy) ?? '' },
    generation: generation ?? 0,
    template,
    ...(request && { request }),
  };
}
