import { keyOf, policyApi, policyFamilies, scopeOf } from '../../api/index.ts';
import type {
  Binding,
  KubeObject,
  OverridePolicy,
  Policy,
  ResourceSelector,
  RolloutPolicy,
  View,
} from '../../api/index.ts';
import { matchOverride, matchPolicy } from './match.ts';
import { namespacePattern } from './namespaces.ts';
import {
  allOverriddenKey,
  bindingsKey,
  Corner,
  kindOf,
  kindKey,
  labelKey,
  nameKey,
  namespaceKey,
  overriddenKind,
  overridesKey,
  prefixKey,
  requiredLabel,
  rolloutKey,
  rolloutsKey,
  selectorKey,
  indexKeysOfKind,
} from './index-keys.ts';

/** Is told of an object and its key. */
type Visit = (object: KubeObject, key: string) => void;

/** The policies that may select a template: a few more than do, never fewer. */
export function policiesNear(view: View, template: KubeObject): ReadonlySet<Policy> {
  const found = new Set<Policy>();
  const visit = (policy: KubeObject): void => void found.add(policy as Policy);
  eachCorner(view, template, (corner) => eachIn(view, corner, { template, visit }));
  return found;
}

/** The override policies that may select a template: a few more than do, never fewer. Most hubs have none. */
export function overridesNear(view: View, template: KubeObject): ReadonlySet<OverridePolicy> {
  if (!view.has(overridesKey)) return noOverrides;
  const found = new Set<OverridePolicy>();
  const visit = (policy: KubeObject): void => void found.add(policy as OverridePolicy);
  view.each(allOverriddenKey(undefined), visit);
  const { namespace } = template.metadata;
  if (namespace !== undefined) view.each(allOverriddenKey(namespace), visit);
  const kind = { ...overriddenKind(template), metadata: template.metadata };
  eachCorner(view, kind, (corner) => eachIn(view, corner, { template, visit }));
  return found;
}

const noOverrides: ReadonlySet<OverridePolicy> = new Set();

/** Visits every template that an override policy selects; one without selectors selects all in its scope that have a binding. */
export function eachOverridden(view: View, policy: OverridePolicy, visit: Visit): void {
  const own = scopeOf(policy) === 'namespace' ? policy.metadata.namespace : undefined;
  const { resourceSelectors = [] } = policy.spec;
  const consider: Visit = (template, key) => {
    if (matchOverride(policy, template).matches) visit(template, key);
  };
  for (const selector of resourceSelectors) eachNear(view, narrowed(selector, own), consider);
  if (resourceSelectors.length > 0) return;
  view.each(bindingsKey, (binding) => {
    const key = keyOf((binding as Binding).spec.resource);
    const template = view.get(key);
    if (template) consider(template, key);
  });
  if (own === undefined) view.each(kindKey('v1|Namespace'), consider);
}

/** Tells whether policies that may select this template, or others beside it, ask for names or labels. */
export function hasPickyNear(view: View, template: KubeObject): boolean {
  let found = false;
  eachCorner(view, template, ({ named, labelled }) => {
    found ||= view.has(named) || view.has(labelled);
  });
  return found;
}

/** Tells whether selectors of this kind cover some namespaces and not others. */
export function isByNamespace(view: View, template: KubeObject): boolean {
  const { places, prefixes } = indexKeysOfKind(template);
  return view.has(places) || view.has(prefixes);
}

/** An object as far as its place goes. */
type Placed = Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>;

/** Visits the places where selectors stand that may select a template. */
function eachCorner(view: View, template: Placed, visit: (corner: Corner) => void): void {
  const { kind, places, prefixes, everywhere } = indexKeysOfKind(template);
  const { namespace } = template.metadata;
  if (view.has(everywhere.any)) visit(everywhere);
  if (namespace === undefined) return;
  if (view.has(places)) {
    const own = new Corner(kind, `=${namespace}`);
    if (view.has(own.any)) visit(own);
  }
  if (view.has(prefixes)) eachPrefix(view, { kind, namespace, visit });
}

interface Prefixed {
  readonly kind: string;
  readonly namespace: string;
  readonly visit: (corner: Corner) => void;
}

function eachPrefix(view: View, { kind, namespace, visit }: Prefixed): void {
  for (let length = 1; length <= namespace.length; length++) {
    const prefix = namespace.slice(0, length);
    if (view.has(prefixKey(kind, prefix))) visit(new Corner(kind, `^${prefix}`));
  }
}

interface Search {
  readonly template: KubeObject;
  readonly visit: Visit;
}

/** Visits the policies of one place that may select a template. */
function eachIn(view: View, corner: Corner, { template, visit }: Search): void {
  const { kind, where } = corner;
  const { name, labels } = template.metadata;
  view.each(corner.whole, visit);
  if (view.has(corner.named)) view.each(selectorKey(kind, where, `n${name}`), visit);
  if (!view.has(corner.labelled)) return;
  for (const key in labels) view.each(selectorKey(kind, where, `l${key}=${labels[key]}`), visit);
}

/** Visits the policies of both scopes. */
export function eachPolicy(view: View, visit: (policy: Policy) => void): void {
  for (const { kind } of Object.values(policyFamilies))
    view.each(kindKey(kindOf({ apiVersion: policyApi, kind })), (policy) => visit(policy as Policy));
}

/**
 * Visits the rollout policies that may suspend a template: those of its namespace and those of the cluster. Every
 * decision about sending asks, and most hubs have none.
 */
export function eachRolloutNear(view: View, template: KubeObject, visit: (rollout: RolloutPolicy) => void): void {
  if (!view.has(rolloutsKey)) return;
  const found = (rollout: KubeObject): void => visit(rollout as RolloutPolicy);
  for (const indexKey of rolloutIndexKeysNear(template)) view.each(indexKey, found);
}

/** Tells whether there is a rollout policy that may suspend a template. */
export function hasRolloutNear(view: View, template: KubeObject): boolean {
  return view.has(rolloutsKey) && rolloutIndexKeysNear(template).some((indexKey) => view.has(indexKey));
}

function rolloutIndexKeysNear(template: KubeObject): readonly string[] {
  const { kind, rollouts } = indexKeysOfKind(template);
  const { namespace } = template.metadata;
  return namespace ? [rolloutKey(kind, namespace), rollouts] : [rollouts];
}

/** Visits every template that a policy selects, once, without looking at the others. */
export function eachTemplateOf(view: View, policy: Policy, visit: Visit): void {
  const { resourceSelectors } = policy.spec;
  const seen = mayRepeat(resourceSelectors) ? new Set<string>() : undefined;
  const consider: Visit = (template, key) => {
    if (seen?.has(key) || !matchPolicy(policy, template).matches) return;
    seen?.add(key);
    visit(template, key);
  };
  const own = scopeOf(policy) === 'namespace' ? policy.metadata.namespace : undefined;
  for (const selector of resourceSelectors) eachNear(view, narrowed(selector, own), consider);
}

/** Tells whether two selectors, or two namespaces of one, can lead to the same template. */
function mayRepeat([first, ...more]: readonly ResourceSelector[]): boolean {
  return more.length > 0 || first?.namespace?.includes(',') === true;
}

/** A namespaced policy selects in its own namespace only, whatever its selectors say. */
function narrowed(selector: ResourceSelector, own: string | undefined): ResourceSelector {
  return own === undefined || selector.namespace === own ? selector : { ...selector, namespace: own };
}

/** Visits the objects that a selector may select: by name, else by namespace, else by label, else all of the kind. */
export function eachNear(view: View, selector: ResourceSelector, visit: Visit): void {
  const kind = kindOf(selector);
  if (selector.name) return view.each(nameKey(kind, selector.name), visit);
  if (selector.namespace) {
    return eachNamespace(view, selector, (namespace) => view.each(namespaceKey(kind, namespace), visit));
  }
  const label = requiredLabel(selector.labelSelector);
  view.each(label ? labelKey(kind, label) : kindKey(kind), visit);
}

function eachNamespace(view: View, selector: ResourceSelector, visit: (namespace: string) => void): void {
  const { names, prefixes } = namespacePattern(selector.namespace ?? '');
  for (const name of names) visit(name);
  for (const prefix of prefixes) view.namespaces(kindOf(selector), prefix, visit);
}
