import { policyApi, policyFamilies, scopeOf } from '../../api/index.ts';
import type { KubeObject, Policy, ResourceSelector, View } from '../../api/index.ts';
import { matchPolicy } from './match.ts';
import { namespacePattern } from './namespaces.ts';
import {
  kindOf,
  kindPost,
  labelPost,
  namePost,
  namespacePost,
  prefixPost,
  requiredLabel,
  selectorPost,
  cornerOf,
} from './posts.ts';

/** Is told of an object and its key. */
type Visit = (object: KubeObject, key: string) => void;

/** The policies that may select a template: a few more than do, never fewer. */
export function policiesNear(view: View, template: KubeObject): ReadonlySet<Policy> {
  const found = new Set<Policy>();
  const visit = (policy: KubeObject): void => void found.add(policy as Policy);
  const kind = kindOf(template);
  for (const where of wheres(view, kind, template.metadata.namespace)) {
    const posts = cornerOf(kind, where);
    if (!view.has(posts.any)) continue;
    view.each(posts.whole, visit);
    if (view.has(posts.named)) view.each(selectorPost(kind, where, `n${template.metadata.name}`), visit);
    if (view.has(posts.labelled)) eachLabelled(view, template, { kind, where, visit });
  }
  return found;
}

interface Search {
  readonly kind: string;
  readonly where: string;
  readonly visit: Visit;
}

function eachLabelled(view: View, { metadata: { labels } }: KubeObject, { kind, where, visit }: Search): void {
  for (const key in labels) view.each(selectorPost(kind, where, `l${key}=${labels[key]}`), visit);
}

function wheres(view: View, kind: string, namespace: string | undefined): readonly string[] {
  if (namespace === undefined) return [''];
  const found = ['', `=${namespace}`];
  if (!view.has(prefixPost(kind, ''))) return found;
  for (let length = 1; length <= namespace.length; length++) {
    const prefix = namespace.slice(0, length);
    if (view.has(prefixPost(kind, prefix))) found.push(`^${prefix}`);
  }
  return found;
}

/** Visits the policies of both scopes. */
export function eachPolicy(view: View, visit: (policy: Policy) => void): void {
  for (const { kind } of Object.values(policyFamilies))
    view.each(kindPost(kindOf({ apiVersion: policyApi, kind })), (policy) => visit(policy as Policy));
}

/** Visits every template that a policy selects, once, without looking at the others. */
export function eachTemplateOf(view: View, policy: Policy, visit: Visit): void {
  const seen = new Set<string>();
  const consider: Visit = (template, key) => {
    if (seen.has(key) || !matchPolicy(policy, template).matches) return;
    seen.add(key);
    visit(template, key);
  };
  const own = scopeOf(policy) === 'namespace' ? policy.metadata.namespace : undefined;
  for (const selector of policy.spec.resourceSelectors) eachNear(view, narrowed(selector, own), consider);
}

/** A namespaced policy selects in its own namespace only, whatever its selectors say. */
function narrowed(selector: ResourceSelector, own: string | undefined): ResourceSelector {
  return own === undefined || selector.namespace === own ? selector : { ...selector, namespace: own };
}

/** Visits the objects that a selector may select: by name, else by namespace, else by label, else all of the kind. */
export function eachNear(view: View, selector: ResourceSelector, visit: Visit): void {
  const kind = kindOf(selector);
  if (selector.name) return view.each(namePost(kind, selector.name), visit);
  if (selector.namespace) {
    return eachNamespace(view, selector, (namespace) => view.each(namespacePost(kind, namespace), visit));
  }
  const label = requiredLabel(selector.labelSelector);
  view.each(label ? labelPost(kind, label) : kindPost(kind), visit);
}

function eachNamespace(view: View, selector: ResourceSelector, visit: (namespace: string) => void): void {
  const { names, prefixes } = namespacePattern(selector.namespace ?? '');
  for (const name of names) visit(name);
  for (const prefix of prefixes) view.namespaces(kindOf(selector), prefix, visit);
}
