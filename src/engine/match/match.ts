import { scopeOf, selectsLabels } from '../../api/index.ts';
import type {
  ExcludedResource,
  KubeObject,
  OverridePolicy,
  Policy,
  ResourceSelector,
  RolloutPolicy,
} from '../../api/index.ts';
import type { Reason } from '../reasons.ts';
import { coversNamespace, namespacePattern } from './namespaces.ts';

/** How exactly a selector names a template: by name, by labels, or by kind alone. */
export type Precision = 1 | 2 | 3;
/** A selector that names neither labels nor a name. */
export const byKind = 1;
/** A selector that names labels. */
export const byLabels = 2;
/** A selector that names one object. */
export const byName = 3;

/** A match with its precision, or the first rule that failed. */
export type Match =
  | { readonly matches: true; readonly precision: Precision }
  | { readonly matches: false; readonly because: Reason; readonly detail?: string };

/** How far a failing selector got; of several, the one that got furthest explains best. */
const progress: Partial<Record<Reason, number>> = {
  KindDiffers: 0,
  NamespaceDiffers: 1,
  NameDiffers: 2,
  LabelsDiffer: 2,
};

const nowhere: Match = { matches: false, because: 'KindDiffers' };

/** Tells whether this policy selects this template and how precisely, or which rule excludes it. */
export function matchPolicy(policy: Policy, template: KubeObject): Match {
  if (policy.metadata.deletionTimestamp) return { matches: false, because: 'PolicyDeleting' };
  if (!reaches(policy, template)) return { matches: false, because: 'OutOfScope' };
  const match = matchSelectors(policy.spec.resourceSelectors, template);
  if (!match.matches) return match;
  const rule = policy.spec.excludedResources?.findIndex((excluded) => excludes(excluded, template)) ?? -1;
  return rule < 0 ? match : { matches: false, because: 'Excluded', detail: `excludedResources[${rule}]` };
}

/**
 * Tells whether this override policy selects this template and how precisely, or which rule excludes it. Without
 * selectors it selects all in its scope.
 */
export function matchOverride(policy: OverridePolicy, template: KubeObject): Match {
  if (policy.metadata.deletionTimestamp) return { matches: false, because: 'PolicyDeleting' };
  if (!reaches(policy, template)) return { matches: false, because: 'OutOfScope' };
  const { resourceSelectors = [] } = policy.spec;
  return resourceSelectors.length > 0
    ? matchSelectors(resourceSelectors, template)
    : { matches: true, precision: byKind };
}

/** A namespaced policy of any kind reaches its own namespace only, whatever its selectors say. */
export function reaches(policy: Policy | RolloutPolicy | OverridePolicy, template: KubeObject): boolean {
  return scopeOf(policy) === 'cluster' || policy.metadata.namespace === template.metadata.namespace;
}

/** The best match of several selectors, or the failure that came closest. */
export function matchSelectors(selectors: readonly ResourceSelector[], template: KubeObject): Match {
  let best: Match = nowhere;
  for (const selector of selectors) best = better(best, matchSelector(selector, template));
  return best;
}

function better(a: Match, b: Match): Match {
  if (a.matches && b.matches) return b.precision > a.precision ? b : a;
  if (a.matches || b.matches) return a.matches ? a : b;
  return (progress[b.because] ?? 0) > (progress[a.because] ?? 0) ? b : a;
}

function matchSelector(selector: ResourceSelector, template: KubeObject): Match {
  if (selector.apiVersion !== template.apiVersion || selector.kind !== template.kind) return nowhere;
  if (selector.namespace && !covers(selector.namespace, template)) {
    return { matches: false, because: 'NamespaceDiffers', detail: selector.namespace };
  }
  if (selector.name) {
    if (selector.name === template.metadata.name) return { matches: true, precision: byName };
    return { matches: false, because: 'NameDiffers', detail: selector.name };
  }
  if (!selector.labelSelector) return { matches: true, precision: byKind };
  if (selectsLabels(selector.labelSelector, template.metadata.labels)) return { matches: true, precision: byLabels };
  return { matches: false, because: 'LabelsDiffer' };
}

function covers(namespaces: string, template: KubeObject): boolean {
  const { namespace } = template.metadata;
  return namespace !== undefined && coversNamespace(namespacePattern(namespaces), namespace);
}

/** All set fields must match; a rule with no field set excludes nothing (admission refuses it). */
export function excludes(rule: ExcludedResource, template: KubeObject): boolean {
  const answers = [
    rule.apiVersion ? rule.apiVersion === template.apiVersion : undefined,
    rule.kind ? rule.kind === template.kind : undefined,
    rule.name ? rule.name === template.metadata.name : undefined,
    rule.namespace ? covers(rule.namespace, template) : undefined,
    rule.labelSelector ? selectsLabels(rule.labelSelector, template.metadata.labels) : undefined,
  ];
  return answers.some((answer) => answer === true) && answers.every((answer) => answer !== false);
}
