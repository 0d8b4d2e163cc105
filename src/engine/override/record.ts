import {
  appliedClusterOverridesAnnotation,
  appliedOverridesAnnotation,
  overridesAnnotation,
  scopeOf,
} from '../../api/index.ts';
import type { KubeObject, ObjectMeta, OverridePolicy, OverrideRule, Overriders, Work } from '../../api/index.ts';
import { equal, isObject } from '../../base/index.ts';
import { matchOverride } from '../match/index.ts';
import type { Precision } from '../match/index.ts';

/** An override policy as it acts on one template. */
export interface ActiveOverride {
  readonly kind: OverridePolicy['kind'];
  readonly namespace?: string;
  readonly name: string;
  readonly precision: Precision;
  /** Its rules took effect with a change of the template, and so do its next ones. */
  readonly isLazy: boolean;
  readonly rules: readonly OverrideRule[];
}

/**
 * The overrides in effect for one template. While one of them is lazy, the content of the template and the request that it
 * followed last are part of the record.
 */
export interface OverrideRecord {
  /** The fingerprint of the content that lazy overrides were last applied to; absent while there are none. */
  readonly template?: string;
  readonly request?: string;
  readonly overrides: readonly ActiveOverride[];
}

/** The override policies that select the template, in the order in which they are applied: the last one wins. */
export function overridesOf(policies: Iterable<OverridePolicy>, template: KubeObject): readonly ActiveOverride[] {
  const found: ActiveOverride[] = [];
  for (const policy of policies) {
    const match = matchOverride(policy, template);
    if (match.matches) found.push(activeOverride(policy, match.precision));
  }
  return found.length > 1 ? found.sort(compareOverrides) : found;
}

function activeOverride({ kind, metadata, spec }: OverridePolicy, precision: Precision): ActiveOverride {
  const { namespace, name } = metadata;
  return {
    kind,
    ...(namespace && { namespace }),
    name,
    precision,
    isLazy: spec.activationPreference === 'Lazy',
    rules: rulesOf(spec),
  };
}

/** The rules of a policy; the deprecated fields count as one rule. */
export function rulesOf({
  overrideRules = [],
  targetCluster,
  overriders,
}: OverridePolicy['spec']): readonly OverrideRule[] {
  if (overrideRules.length > 0) return overrideRules;
  return [{ ...(targetCluster && { targetCluster }), overriders: overriders ?? {} }];
}

const scopeRank = { cluster: 0, namespace: 1 } as const;

/** Policies of the cluster first, then the less precise, then by name. */
export function compareOverrides(a: ActiveOverride, b: ActiveOverride): number {
  const scopes = scopeRank[scopeOf(a)] - scopeRank[scopeOf(b)];
  return scopes || a.precision - b.precision || (a.name < b.name ? -1 : 1);
}

/** `OverridePolicy shop/web`. */
export function policyNameOf({ kind, namespace, name }: Pick<ActiveOverride, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}

/** Tells whether both come from the same policy. */
export function isSamePolicy(a: ActiveOverride, b: ActiveOverride): boolean {
  return a.kind === b.kind && a.name === b.name;
}

const read = new WeakMap<ObjectMeta, { readonly record: OverrideRecord | undefined }>();

/** The record on a binding or a Work; undefined when it says nothing. */
export function overrideRecordOf({ metadata }: KubeObject): OverrideRecord | undefined {
  const known = read.get(metadata);
  if (known) return known.record;
  const record = parsed(metadata.annotations?.[overridesAnnotation]);
  read.set(metadata, { record });
  return record;
}

function parsed(text: string | undefined): OverrideRecord | undefined {
  const value = jsonIn(text);
  if (!isObject(value) || !Array.isArray(value['overrides'])) return undefined;
  const { template, request } = value;
  return {
    ...(typeof template === 'string' && { template }),
    ...(typeof request === 'string' && { request }),
    overrides: value['overrides'].filter(isActiveOverride),
  };
}

function jsonIn(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Others can write annotations too: only what has the shape of an override counts. */
function isActiveOverride(value: unknown): value is ActiveOverride {
  if (!isObject(value) || typeof value['name'] !== 'string' || !Array.isArray(value['rules'])) return false;
  if (value['kind'] !== 'OverridePolicy' && value['kind'] !== 'ClusterOverridePolicy') return false;
  return value['rules'].every((rule) => isObject(rule) && isObject(rule['overriders']));
}

/** The annotations with this record; the same map when it is there, and without the key when nothing is in effect. */
export function withRecord(
  annotations: Readonly<Record<string, string>> | undefined,
  record: OverrideRecord | undefined,
): Readonly<Record<string, string>> | undefined {
  const present = annotations?.[overridesAnnotation];
  if (record === undefined) {
    if (present === undefined) return annotations;
    const { [overridesAnnotation]: _, ...others } = annotations ?? {};
    return others;
  }
  if (present !== undefined && equal(parsed(present), record)) return annotations;
  return { ...annotations, [overridesAnnotation]: JSON.stringify(record) };
}

/** Where Karmada notes which overriders a Work carries, by the kind of their policies. */
const appliedAnnotations = {
  OverridePolicy: appliedOverridesAnnotation,
  ClusterOverridePolicy: appliedClusterOverridesAnnotation,
} as const;

const noteKeys: ReadonlySet<string> = new Set(Object.values(appliedAnnotations));

/** The annotations of a Work without Karmada's notes of what was applied. */
export function withoutNotes(annotations: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !noteKeys.has(key)));
}

/** One entry of Karmada's note. */
interface AppliedOverride {
  readonly policyName: string;
  readonly overriders: Overriders;
}

/** Karmada's notes of what was applied: for each kind of policy a list by name. */
export function appliedNotes(
  applied: readonly { readonly kind: OverridePolicy['kind']; readonly note: AppliedOverride }[],
): Record<string, string> {
  const notes: Record<string, string> = {};
  for (const [kind, key] of Object.entries(appliedAnnotations)) {
    const own = applied.filter((one) => one.kind === kind).map(({ note }) => note);
    own.sort((a, b) => (a.policyName < b.policyName ? -1 : a.policyName === b.policyName ? 0 : 1));
    if (own.length > 0) notes[key] = JSON.stringify(own);
  }
  return notes;
}

/**
 * The overrides that Works note as applied, for when the record is gone with its binding. Each rule is then for the one
 * member whose Work has it.
 */
export function overridesFromWorks(works: ReadonlyMap<string, Work>): readonly ActiveOverride[] {
  const found = new Map<string, ActiveOverride & { readonly rules: OverrideRule[] }>();
  for (const [member, work] of works) {
    for (const kind of ['ClusterOverridePolicy', 'OverridePolicy'] as const) {
      for (const { policyName: name, overriders } of notesIn(work.metadata.annotations?.[appliedAnnotations[kind]])) {
        const known = found.get(`${kind}/${name}`) ?? { kind, name, precision: 1, isLazy: true, rules: [] };
        known.rules.push({ targetCluster: { clusterNames: [member] }, overriders });
        found.set(`${kind}/${name}`, known);
      }
    }
  }
  return [...found.values()];
}

function notesIn(text: string | undefined): readonly AppliedOverride[] {
  const value = jsonIn(text);
  return Array.isArray(value) ? value.filter(isNote) : [];
}

function isNote(value: unknown): value is AppliedOverride {
  return isObject(value) && typeof value['policyName'] === 'string' && isObject(value['overriders']);
}
