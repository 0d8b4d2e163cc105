import { isObject } from '../base/index.ts';
import { combinedResource, isResourceRequest } from './attributes.ts';
import type { Attributes, ResourceAttributes } from './attributes.ts';

/** rbac.authorization.k8s.io/v1 PolicyRule, with every list present. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** The rules in an object; anything that is not a list of strings counts as empty and so allows nothing. */
export function rulesOf(value: unknown): readonly PolicyRule[] {
  return Array.isArray(value) ? value.filter(isObject).map(ruleOf) : [];
}

function ruleOf(value: Readonly<Record<string, unknown>>): PolicyRule {
  return {
    verbs: stringsOf(value['verbs']),
    apiGroups: stringsOf(value['apiGroups']),
    resources: stringsOf(value['resources']),
    // A restriction that cannot be read must not read as "no restriction".
    resourceNames:
      value['resourceNames'] === undefined || value['resourceNames'] === null ? [] : namesOf(value['resourceNames']),
    nonResourceURLs: stringsOf(value['nonResourceURLs']),
  };
}

const stringsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

const unreadable = '\0';
const namesOf = (value: unknown): readonly string[] => {
  const names = stringsOf(value);
  return Array.isArray(value) && names.length === value.length ? names : [...names, unreadable];
};

/** Tells whether one rule allows this. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false;
  if (!isResourceRequest(attributes)) return rule.nonResourceURLs.some((url) => urlCovers(url, attributes.path));
  return (
    has(rule.apiGroups, attributes.group) && resourceMatches(rule, attributes) && nameMatches(rule, attributes.name)
  );
}

function resourceMatches(rule: PolicyRule, attributes: ResourceAttributes): boolean {
  const wanted = combinedResource(attributes);
  const { subresource } = attributes;
  return rule.resources.some(
    (resource) => resource === '*' || resource === wanted || (subresource !== '' && resource === `*/${subresource}`),
  );
}

const nameMatches = (rule: PolicyRule, name: string): boolean =>
  rule.resourceNames.length === 0 || rule.resourceNames.includes(name);

/** Tells whether the list has the value or covers everything. */
const has = (list: readonly string[], value: string): boolean => list.includes('*') || list.includes(value);

/** Tells whether a URL of a rule, which may end in a star, covers a path or a narrower URL. */
function urlCovers(url: string, path: string): boolean {
  if (url === path) return true;
  return url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''));
}

/** The parts of the wanted rules that no single granted rule grants, one verb on one resource each. */
export function missingRules(granted: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(partsOf).filter((part) => !granted.some((rule) => covers(rule, part)));
}

/** A rule as rules with one verb, one group, one resource and at most one name, or one verb and one URL. */
function partsOf(rule: PolicyRule): PolicyRule[] {
  const names = rule.resourceNames.length > 0 ? rule.resourceNames.map((name) => [name]) : [[]];
  const onResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) => names.map((resourceNames) => part({ verb, group, resource, resourceNames }))),
    ),
  );
  return [...onResources, ...rule.nonResourceURLs.flatMap((url) => rule.verbs.map((verb) => part({ verb, url })))];
}

function part(of: {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly resourceNames?: readonly string[];
  readonly url?: string;
}): PolicyRule {
  return {
    verbs: [of.verb],
    apiGroups: of.group === undefined ? [] : [of.group],
    resources: of.resource === undefined ? [] : [of.resource],
    resourceNames: of.resourceNames ?? [],
    nonResourceURLs: of.url === undefined ? [] : [of.url],
  };
}

function covers(rule: PolicyRule, part: PolicyRule): boolean {
  return (
    part.verbs.every((verb) => has(rule.verbs, verb)) &&
    part.apiGroups.every((group) => has(rule.apiGroups, group)) &&
    part.resources.every((resource) => resourceCovers(rule, resource)) &&
    part.nonResourceURLs.every((path) => rule.nonResourceURLs.some((url) => urlCovers(url, path))) &&
    namesCover(rule, part)
  );
}

function resourceCovers(rule: PolicyRule, resource: string): boolean {
  if (has(rule.resources, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && rule.resources.includes(`*${resource.slice(slash)}`);
}

/** A rule without names covers all names; one with names never covers one without. */
function namesCover(rule: PolicyRule, part: PolicyRule): boolean {
  if (rule.resourceNames.length === 0) return true;
  return part.resourceNames.length > 0 && part.resourceNames.every((name) => rule.resourceNames.includes(name));
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`, one line per resource, sorted. */
export function describeRules(parts: readonly PolicyRule[]): string {
  const merged = new Map<string, PolicyRule>();
  for (const part of parts) {
    const key = JSON.stringify({ ...part, verbs: [] });
    const before = merged.get(key);
    // As Kubernetes prints them: verbs on one resource together, URLs one by one.
    if (before && part.nonResourceURLs.length === 0)
      merged.set(key, { ...before, verbs: [...before.verbs, ...part.verbs] });
    else merged.set(before ? `${key}${merged.size}` : key, part);
  }
  return [...new Set([...merged.values()].map(describeRule))].sort().join('\n');
}

function describeRule(rule: PolicyRule): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const shown = parts.filter(([, values]) => values.length > 0);
  return `{${shown.map(([name, values]) => `${name}:${quotedList(values)}`).join(', ')}}`;
}

/** A list of strings as Go prints one: `["a" "b"]`. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}
