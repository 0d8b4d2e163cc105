import {
  bindingApi,
  bindingFamilies,
  bindingFamilyOf,
  dependedByPrefix,
  dependenciesAnnotation,
  keyOf,
  policyFamilies,
  scopeOf,
} from '../../api/index.ts';
import type {
  Binding,
  KubeObject,
  LabelSelector,
  Policy,
  Ref,
  ResourceSelector,
  RolloutPolicy,
} from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { workloadKind } from '../interpret/index.ts';
import { isMoving, movesOf } from '../move/index.ts';
import { namespacePattern } from './namespaces.ts';

/*
 * The index is inverted: an object stands under its posts, and a question looks under the few posts that can hold an
 * answer. Posts narrow, the plain matcher decides: a post may hold too much, never too little.
 */

export const clustersPost = 'clusters';
/** RolloutPolicies and ClusterRolloutPolicies. */
export const rolloutsPost = 'rollouts';
/** Bindings: a change of a Cluster concerns them all. */
export const bindingsPost = 'bindings';

/** All objects of a kind. */
export const kindPost = (kind: string): string => `kind|${kind}`;
/** All objects of a kind in a namespace. */
export const namespacePost = (kind: string, namespace: string): string => `in|${kind}|${namespace}`;
/** Objects of a kind with a name, in any namespace. */
export const namePost = (kind: string, name: string): string => `named|${kind}|${name}`;
/** Objects of a kind with a label. */
export const labelPost = (kind: string, label: string): string => `label|${kind}|${label}`;
/** Templates that a policy holds, by its permanent id. */
export const holderPost = (id: string): string => `held|${id}`;
/** Works of a binding, by its permanent id. */
export const worksPost = (id: string): string => `works|${id}`;
/** All Works of an execution namespace. */
export const memberWorksPost = (namespace: string): string => `sent|${namespace}`;
/** Bindings whose template needs an object, by the object's key. */
export const neededByPost = (key: string): string => `needed|${key}`;
/** Bindings that another binding pulls along, by its reference key. */
export const attachedPost = (reference: string): string => `attached|${reference}`;

/** Bindings in the middle of a move. */
export const movesPost = 'moves';
/** Bindings of workloads of a namespace that are moving away from a member. */
export const movingPost = (namespace: string, member: string): string => `moving|${namespace}|${member}`;
/** Bindings of a namespace in the middle of a move that run no pods: they leave last. */
export const supportPost = (namespace: string): string => `support|${namespace}`;

/** May another object have a binding of the same name? `a:b`, `a.b` and `A.b` have. */
export function mayShareBinding(name: string): boolean {
  return /[:.A-Z]/.test(name);
}

/** `apps/v1|Deployment`: the kind as posts spell it. */
export function kindOf(object: { readonly apiVersion: string; readonly kind: string }): string {
  return `${object.apiVersion}|${object.kind}`;
}

/** The posts under which an object of the hub stands. */
export function postsOf(object: KubeObject): readonly string[] {
  switch (object.kind) {
    case 'PropagationPolicy':
    case 'ClusterPropagationPolicy':
      return policyPosts(object as Policy);
    case 'RolloutPolicy':
    case 'ClusterRolloutPolicy':
      return rolloutPosts(object as RolloutPolicy);
    case 'Cluster':
      return [clustersPost];
    case 'Work':
      return workPosts(object);
    case 'ResourceBinding':
    case 'ClusterResourceBinding':
      return bindingPosts(object as Binding);
    default:
      return templatePosts(object);
  }
}

/** Where selectors stand: kind, then namespace, then name or one label. */
export const selectorPost = (kind: string, where: string, what: string): string => `sel|${kind}|${where}|${what}`;
/**
 * One place: all namespaces, `=name` or `^prefix`. Its posts say what selectors of a kind stand there: any at all, for the
 * whole kind, by name, by label.
 */
export class Corner {
  readonly kind: string;
  readonly where: string;
  readonly any: string;
  #whole: string | undefined;
  #named: string | undefined;
  #labelled: string | undefined;

  constructor(kind: string, where: string) {
    this.kind = kind;
    this.where = where;
    this.any = `where|${kind}|${where}`;
  }

  /** Most places are empty, so that what stands there need not be spelt. */
  get whole(): string {
    return (this.#whole ??= selectorPost(this.kind, this.where, '*'));
  }

  get named(): string {
    return (this.#named ??= `${this.any}|n`);
  }

  get labelled(): string {
    return (this.#labelled ??= `${this.any}|l`);
  }
}

/** What is looked up for every template of a kind, spelt once. */
interface KindPosts {
  readonly kind: string;
  /** Is there any selector of this kind for a single namespace, or for those with a prefix? */
  readonly places: string;
  readonly prefixes: string;
  readonly everywhere: Corner;
  /** ClusterRolloutPolicies that select this kind. */
  readonly rollouts: string;
}

const spelt = new Map<string, Map<string, KindPosts>>();

/** The posts of a kind that do not depend on the namespace. */
export function postsOfKind({ apiVersion, kind }: Pick<Ref, 'apiVersion' | 'kind'>): KindPosts {
  let kinds = spelt.get(apiVersion);
  if (!kinds) spelt.set(apiVersion, (kinds = new Map()));
  let posts = kinds.get(kind);
  if (!posts) {
    const name = kindOf({ apiVersion, kind });
    posts = {
      kind: name,
      places: placesPost(name),
      prefixes: prefixPost(name, ''),
      everywhere: new Corner(name, ''),
      rollouts: rolloutPost(name, undefined),
    };
    kinds.set(kind, posts);
  }
  return posts;
}

/** Says that some selector of this kind names a namespace. */
const placesPost = (kind: string): string => `at|${kind}`;
/** Says that some selector of this kind covers namespaces with this prefix; the empty one, that there is any such. */
export const prefixPost = (kind: string, prefix: string): string => `pre|${kind}|${prefix}`;

function policyPosts(policy: Policy): readonly string[] {
  const own = scopeOf(policy) === 'namespace' ? policy.metadata.namespace : undefined;
  return [
    kindPost(kindOf(policy)),
    ...policy.spec.resourceSelectors.flatMap((selector) => selectorPosts(selector, own)),
  ];
}

function selectorPosts(selector: ResourceSelector, own: string | undefined): readonly string[] {
  const kind = kindOf(selector);
  const what = narrowing(selector);
  const standing = (where: string): readonly string[] => {
    const { any, named, labelled } = new Corner(kind, where);
    const special = what === '*' ? [] : [what.startsWith('n') ? named : labelled];
    return [selectorPost(kind, where, what), any, ...special];
  };
  if (own !== undefined) return [...standing(`=${own}`), placesPost(kind)];
  if (!selector.namespace) return standing('');
  const { names, prefixes } = namespacePattern(selector.namespace);
  return [
    ...names.flatMap((name) => standing(`=${name}`)),
    ...(names.length > 0 ? [placesPost(kind)] : []),
    ...prefixes.flatMap((prefix) => [...standing(`^${prefix}`), prefixPost(kind, prefix)]),
    ...(prefixes.length > 0 ? [prefixPost(kind, '')] : []),
  ];
}

function narrowing(selector: ResourceSelector): string {
  if (selector.name) return `n${selector.name}`;
  const label = requiredLabel(selector.labelSelector);
  return label ? `l${label}` : '*';
}

/** One label that every selected object has; undefined when the selector demands none. */
export function requiredLabel(selector: LabelSelector | undefined): string | undefined {
  for (const key in selector?.matchLabels) return `${key}=${selector.matchLabels[key]}`;
  const one = selector?.matchExpressions?.find((rule) => rule.operator === 'In' && rule.values?.length === 1);
  return one && `${one.key}=${one.values?.[0]}`;
}

function rolloutPosts(rollout: RolloutPolicy): readonly string[] {
  const own = scopeOf(rollout) === 'namespace' ? rollout.metadata.namespace : undefined;
  const selected = rollout.spec.resourceSelectors.map((selector) => rolloutPost(kindOf(selector), own));
  return [rolloutsPost, ...new Set(selected)];
}

/** RolloutPolicies of a namespace that select a kind; without a namespace, ClusterRolloutPolicies. */
export const rolloutPost = (kind: string, namespace: string | undefined): string => `hold|${kind}|${namespace ?? ''}`;

function workPosts(work: KubeObject): readonly string[] {
  const id = workBindingIdOf(work);
  const inMember = memberWorksPost(work.metadata.namespace ?? '');
  return id ? [worksPost(id), inMember] : [inMember];
}

/** The id of the binding that made a Work. */
export function workBindingIdOf({ metadata: { labels } }: KubeObject): string | undefined {
  return labels?.[bindingFamilies.namespace.idLabel] ?? labels?.[bindingFamilies.cluster.idLabel];
}

/** The permanent id of the binding that a Work belongs to; those of namespaces that all members have belong to none. */
export function referredBindingId({ metadata: { labels } }: KubeObject): string | undefined {
  return labels?.[bindingFamilies.namespace.idLabel] ?? labels?.[bindingFamilies.cluster.idLabel];
}

function bindingPosts(binding: Binding): readonly string[] {
  const posts = [bindingsPost];
  for (const key in binding.metadata.labels) {
    if (key.startsWith(dependedByPrefix)) posts.push(attachedPost(key.slice(dependedByPrefix.length)));
  }
  for (const ref of recordedDependencies(binding)) posts.push(neededByPost(keyOf(ref)));
  if (isMoving(binding)) posts.push(...movePosts(binding));
  return posts;
}

function movePosts(binding: Binding): readonly string[] {
  const { resource } = binding.spec;
  const { namespace } = resource;
  if (namespace === undefined) return [movesPost];
  if (!workloadKind(resource)) return [movesPost, supportPost(namespace)];
  return [movesPost, ...movesOf(binding).map(({ fromCluster }) => movingPost(namespace, fromCluster))];
}

/** The objects that a binding's template needs, as recorded on the binding. */
export function recordedDependencies(binding: Binding): readonly Ref[] {
  const text = binding.metadata.annotations?.[dependenciesAnnotation];
  if (text === undefined) return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isRef) : [];
  } catch {
    return [];
  }
}

function isRef(value: unknown): value is Ref {
  return isObject(value) && ['apiVersion', 'kind', 'name'].every((part) => typeof value[part] === 'string');
}

function templatePosts(template: KubeObject): readonly string[] {
  const { namespace, name, labels } = template.metadata;
  const kind = kindOf(template);
  const posts = [kindPost(kind), namePost(kind, name)];
  if (namespace) posts.push(namespacePost(kind, namespace));
  for (const key in labels) posts.push(labelPost(kind, `${key}=${labels[key]}`));
  const holder = holderIdOf(template);
  if (holder) posts.push(holderPost(holder));
  return posts;
}

/** The permanent id under whose post a template stands. */
export function holderIdOf({ metadata: { labels } }: KubeObject): string | undefined {
  return labels?.[policyFamilies.namespace.idLabel] ?? labels?.[policyFamilies.cluster.idLabel];
}

/** The id label of the binding that a template gets. */
export function bindingIdOf(binding: Binding): string | undefined {
  return binding.metadata.labels?.[bindingFamilyOf(binding).idLabel];
}

/** The key of the binding that a Work names. */
export function bindingKeyOf(work: KubeObject): string | undefined {
  const ref = bindingRefOfWork(work);
  return ref && keyOf(ref);
}

/** The reference of the binding that a Work names. */
export function bindingRefOfWork(work: KubeObject): Ref | undefined {
  const annotations = work.metadata.annotations;
  for (const family of Object.values(bindingFamilies)) {
    const name = annotations?.[family.nameAnnotation];
    if (!name) continue;
    const namespace = family.namespaceAnnotation && annotations[family.namespaceAnnotation];
    return { apiVersion: bindingApi, kind: family.kind, ...(namespace && { namespace }), name };
  }
  return undefined;
}
