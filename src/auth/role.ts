import { combinedResource, isResourceRequest } from './attributes.ts';
import type { Attributes } from './attributes.ts';
import { ruleAllows } from './rule.ts';
import type { PolicyRule } from './rule.ts';

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
