import type { Attributes } from './attributes.ts';
import { combinedResource, isResourceRequest } from './attributes.ts';
import { ruleAllows } from './rule.ts';
import type { PolicyRule } from './rule.ts';

/** The rules of one role, arranged so that a question meets only the few rules that could answer it. */
export interface Role {
  readonly rules: readonly PolicyRule[];
  allows(attributes: Attributes): boolean;
}

/**
 * Arranges rules by group and resource.
 * Guarantee: says exactly what asking `ruleAllows` of every rule would say.
 */
export function roleOf(rules: readonly PolicyRule[]): Role {
  const exact = new Map<string, PolicyRule[]>();
  /** Rules with a star among their groups or resources, and rules on URLs. */
  const broad: PolicyRule[] = [];
  for (const rule of rules) {
    if (isBroad(rule)) broad.push(rule);
    for (const key of keysOf(rule)) {
      const list = exact.get(key);
      if (list) list.push(rule);
      else exact.set(key, [rule]);
    }
  }
  return {
    rules,
    allows(attributes) {
      for (const rule of broad) if (ruleAllows(rule, attributes)) return true;
      if (!isResourceRequest(attributes)) return false;
      const candidates = exact.get(`${attributes.group}|${combinedResource(attributes)}`);
      return candidates !== undefined && candidates.some((rule) => ruleAllows(rule, attributes));
    },
  };
}

const isBroad = (rule: PolicyRule): boolean =>
  rule.nonResourceURLs.length > 0 ||
  rule.apiGroups.includes('*') ||
  rule.resources.some((name) => name.startsWith('*'));

const keysOf = (rule: PolicyRule): string[] =>
  rule.apiGroups.flatMap((group) => rule.resources.map((resource) => `${group}|${resource}`));
