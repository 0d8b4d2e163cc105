import { keyOf, policyApi } from '../../api/index.ts';
import type { Binding, Cluster, KubeObject, OverridePolicy, View } from '../../api/index.ts';
import { conditionStatus } from '../conditions.ts';
import { matchOverride, overridesKey } from '../match/index.ts';
import { isSamePolicy, overrideRecordOf, rulesFor } from '../override/index.ts';
import type { ActiveOverride, OverridesInEffect } from '../override/index.ts';
import type { Reason } from '../reasons.ts';
import { overridesCondition, overridesOfBinding, targetsOf, worksOf } from '../render/index.ts';
import { specTimeOf } from '../times.ts';
import type { PolicyName } from './effects.ts';

/** The part that an override policy has in a template. */
export interface OverrideVerdict {
  readonly policy: PolicyName;
  readonly outcome: 'applied' | 'failed' | 'pending' | 'noCluster' | 'noMatch';
  readonly because: Reason;
  /** The clusters of the template in which something of it is applied. */
  readonly clusters: readonly string[];
  readonly detail?: string;
}

/** The overrides of a template in the order in which they are applied, then the policies that do not select it. */
export function explainOverrides(
  view: View,
  template: KubeObject,
  binding: Binding | undefined,
): readonly OverrideVerdict[] {
  if (!binding || !hasOverrides(view, binding)) return [];
  const facts = overridesOfBinding(view, { binding, template, works: worksOf(view, binding) });
  const told = new Set<ActiveOverride>();
  for (const one of [...facts.overrides, ...facts.pending])
    if (![...told].some((other) => isSamePolicy(other, one))) told.add(one);
  return [...[...told].map((one) => verdictOn(view, one, { facts, binding })), ...othersOf(view, template, told)];
}

/** Says that a lazy override waits, and since when at the earliest; undefined when none does. */
export function pendingOverride(
  view: View,
  template: KubeObject,
  binding: Binding | undefined,
): { readonly because: Reason; readonly since: string | null } | undefined {
  if (!binding || !hasOverrides(view, binding)) return undefined;
  const [first] = overridesOfBinding(view, { binding, template, works: worksOf(view, binding) }).pending;
  if (!first) return undefined;
  const policy = view.get(keyOf({ apiVersion: policyApi, ...nameOf(first) }));
  return { because: 'OverrideWaits', since: (policy && specTimeOf(policy)) ?? null };
}

function hasOverrides(view: View, binding: Binding): boolean {
  return view.has(overridesKey) || overrideRecordOf(binding) !== undefined;
}

interface Looked {
  readonly facts: OverridesInEffect;
  readonly binding: Binding;
}

function verdictOn(view: View, override: ActiveOverride, { facts, binding }: Looked): OverrideVerdict {
  const applied = facts.overrides.find((one) => isSamePolicy(one, override));
  const clusters = applied ? clustersOf(view, applied, binding) : [];
  const policy = nameOf(override);
  if (facts.pending.some((one) => isSamePolicy(one, override)))
    return { policy, outcome: 'pending', because: 'OverrideWaits', clusters };
  if (clusters.length === 0) return { policy, outcome: 'noCluster', because: 'NoTargetCluster', clusters };
  const isFailed = conditionStatus(binding.status?.conditions, overridesCondition) === 'False';
  return isFailed
    ? { policy, outcome: 'failed', because: 'OverrideFailed', clusters }
    : { policy, outcome: 'applied', because: 'OverrideApplies', clusters };
}

function clustersOf(view: View, override: ActiveOverride, binding: Binding): readonly string[] {
  const isFor = (cluster: Cluster): boolean => rulesFor(override, cluster).length > 0;
  const names = new Set(view.clusters.filter(isFor).map(({ metadata }) => metadata.name));
  return targetsOf(binding).flatMap(({ name }) => (names.has(name) ? name : []));
}

/** Policies of other kinds and namespaces are passed over: they never had anything to do with it. */
const unrelated: ReadonlySet<Reason> = new Set(['KindDiffers', 'OutOfScope']);

function othersOf(view: View, template: KubeObject, told: ReadonlySet<ActiveOverride>): readonly OverrideVerdict[] {
  const found: OverrideVerdict[] = [];
  view.each(overridesKey, (object) => {
    const policy = object as OverridePolicy;
    const match = matchOverride(policy, template);
    if (match.matches || unrelated.has(match.because)) return;
    if ([...told].some(({ kind, name }) => kind === policy.kind && name === policy.metadata.name)) return;
    const { namespace, name } = policy.metadata;
    const because = { because: match.because, ...(match.detail && { detail: match.detail }) };
    found.push({
      policy: nameOf({ kind: policy.kind, ...(namespace && { namespace }), name }),
      outcome: 'noMatch',
      ...because,
      clusters: [],
    });
  });
  return found.sort((a, b) => (a.policy.name < b.policy.name ? -1 : 1));
}

function nameOf({ kind, namespace, name }: Pick<ActiveOverride, 'kind' | 'namespace' | 'name'>): PolicyName {
  return { kind, ...(namespace && { namespace }), name };
}
