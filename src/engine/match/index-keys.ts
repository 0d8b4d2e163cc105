import {
  bindingApi,
  bindingFamilies,
  bindingFamilyOf,
  dependedByPrefix,
  dependenciesAnnotation,
  keyOf,
  policyFamilies,
  scopeOf,
  refOf,
  quotaNameLabel,
  quotaNamespaceLabel,
} from '../../api/index.ts';
import type {
  Binding,
  KindRef,
  KubeObject,
  LabelSelector,
  OverridePolicy,
  Policy,
  Ref,
  ResourceInterpreterCustomization,
  ResourceSelector,
  RolloutPolicy,
  Work,
} from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { workloadKind } from '../interpret/workloads.ts';
import { isMoving, movesOf } from '../move/index.ts';
import { namespacePattern } from './namespaces.ts';

/*
 * The index is inverted: an object stands under its index keys, and a question looks under the few index keys that can
 * have an answer. Index keys narrow, the plain matcher decides: an index key may find too much, never too little.
 */

/** The index key of all Clusters. */
export const clustersKey = 'clusters';
/** RolloutPolicies and ClusterRolloutPolicies. */
export const rolloutsKey = 'rollouts';
/** OverridePolicies and ClusterOverridePolicies. */
export const overridesKey = 'overrides';
/** Bindings: a change of a Cluster concerns them all. */
export const bindingsKey = 'bindings';

/** All objects of a kind. */
export const kindKey = (kind: string): string => `kind|${kind}`;
/** All objects of a kind in a namespace. */
export const namespaceKey = (kind: string, namespace: string): string => `in|${kind}|${namespace}`;
/** Objects of a kind with a name, in any namespace. */
export const nameKey = (kind: string, name: string): string => `named|${kind}|${name}`;
/** Objects of a kind with a label. */
export const labelKey = (kind: string, label: string): string => `label|${kind}|${label}`;
/** Templates that a policy manages, by its permanent id. */
export const managedByKey = (id: string): string => `held|${id}`;
/** Works of a binding, by its permanent id. */
export const worksKey = (id: string): string => `works|${id}`;
/** All Works of an execution namespace. */
export const memberWorksKey = (namespace: string): string => `sent|${namespace}`;
/** Bindings whose template needs an object, by the object's key. */
/** Bindings of a namespace whose workloads are placed together. */
export const affinityGroupKey = (namespace: string, group: string): string => `together|${namespace}|${group}`;
/** Bindings of a namespace whose workloads are placed apart. */
export const antiAffinityGroupKey = (namespace: string, group: string): string => `apart|${namespace}|${group}`;
export const neededByKey = (key: string): string => `needed|${key}`;
/** Bindings of the dependencies of another binding, by its reference key. */
export const attachedKey = (reference: string): string => `attached|${reference}`;

/** ResourceInterpreterCustomizations of a kind. */
export const interpretsKey = (kind: Pick<Ref, 'apiVersion' | 'kind'>): string => `interprets|${kindOf(kind)}`;

/** All ResourceInterpreterWebhookConfigurations. */
export const webhooksKey = 'interpreter-webhooks';
/** All ResourceInterpreterCustomizations. */
export const customizationsKey = 'customizations';

/** Bindings in the middle of a move. */
export const movesIndexKey = 'moves';
/** Bindings of workloads of a namespace that are moving away from a member. */
export const movingIndexKey = (namespace: string, member: string): string => `moving|${namespace}|${member}`;
/** Bindings of a namespace in the middle of a move that run no pods: they leave last. */
export const supportIndexKey = (namespace: string): string => `support|${namespace}`;

/** Tells whether another object may have a binding of the same name. `a:b`, `a.b` and `A.b` have. */
export function mayShareBinding(name: string): boolean {
  return /[:.A-Z]/.test(name);
}

/** `apps/v1|Deployment`: the kind as index keys spell it. */
export function kindOf(object: { readonly apiVersion: string; readonly kind: string }): string {
  return `${object.apiVersion}|${object.kind}`;
}

/** The index keys under which an object of the hub stands. */
export function indexKeysOf(object: KubeObject): readonly string[] {
  if (object.kind === 'ResourceInterpreterWebhookConfiguration') return [webhooksKey];
  return isOverride(object) ? overrideIndexKeys(object) : indexKeysByKind(object);
}

function indexKeysByKind(object: KubeObject): readonly string[] {
  switch (object.kind) {
    case 'PropagationPolicy':
    case 'ClusterPropagationPolicy':
      return policyIndexKeys(object as Policy);
    case 'RolloutPolicy':
    case 'ClusterRolloutPolicy':
      return rolloutIndexKeys(object as RolloutPolicy);
    case 'Cluster':
      return [clustersKey];
    case 'Work':
      return workIndexKeys(object);
    case 'ResourceBinding':
    case 'ClusterResourceBinding':
      return bindingIndexKeys(object as Binding);
    case 'ResourceInterpreterCustomization':
      return [customizationsKey, interpretsKey((object as ResourceInterpreterCustomization).spec.target)];
    default:
      return templateIndexKeys(object);
  }
}

/** True for an override policy. */
export function isOverride(object: KubeObject): object is OverridePolicy {
  const { kind } = object;
  return kind === 'OverridePolicy' || kind === 'ClusterOverridePolicy';
}

/** Where selectors stand: kind, then namespace, then name or one label. */
export const selectorKey = (kind: string, where: string, what: string): string => `sel|${kind}|${where}|${what}`;
/**
 * One place: all namespaces, `=name` or `^prefix`. Its index keys say what selectors of a kind stand there: any at all, for the
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
    return (this.#whole ??= selectorKey(this.kind, this.where, '*'));
  }

  get named(): string {
    return (this.#named ??= `${this.any}|n`);
  }

  get labelled(): string {
    return (this.#labelled ??= `${this.any}|l`);
  }
}

/** The index keys that are looked up for every template of a kind, built once. */
interface KindIndexKeys {
  readonly kind: string;
  /** Tells whether any selector of this kind is for a single namespace, or for those with a prefix. */
  readonly places: string;
  readonly prefixes: string;
  readonly everywhere: Corner;
  /** ClusterRolloutPolicies that select this kind. */
  readonly rollouts: string;
}

const spelt = new Map<string, Map<string, KindIndexKeys>>();

/** The index keys of a kind that do not depend on the namespace. */
export function indexKeysOfKind({ apiVersion, kind }: KindRef): KindIndexKeys {
  let kinds = spelt.get(apiVersion);
  if (!kinds) spelt.set(apiVersion, (kinds = new Map()));
  let indexKeys = kinds.get(kind);
  if (!indexKeys) {
    const name = kindOf({ apiVersion, kind });
    indexKeys = {
      kind: name,
      places: placesIndexKey(name),
      prefixes: prefixKey(name, ''),
      everywhere: new Corner(name, ''),
      rollouts: rolloutKey(name, undefined),
    };
    kinds.set(kind, indexKeys);
  }
  return indexKeys;
}

/** Says that some selector of this kind names a namespace. */
const placesIndexKey = (kind: string): string => `at|${kind}`;
/** Says that some selector of this kind covers namespaces with this prefix; the empty one, that there is any such. */
export const prefixKey = (kind: string, prefix: string): string => `pre|${kind}|${prefix}`;

function policyIndexKeys(policy: Policy): readonly string[] {
  const own = scopeOf(policy) === 'namespace' ? policy.metadata.namespace : undefined;
  return [
    kindKey(kindOf(policy)),
    ...policy.spec.resourceSelectors.flatMap((selector) => selectorIndexKeys(selector, own)),
  ];
}

/** The kind under which override policies that select it stand: apart from propagation policies. */
export function overriddenKind({ apiVersion, kind }: KindRef): KindRef {
  return { apiVersion: `override ${apiVersion}`, kind };
}

/** Override policies of a namespace that select every object in it; without a namespace, those that select every object. */
export const allOverriddenKey = (namespace: string | undefined): string => `${overridesKey}|${namespace ?? ''}`;

function overrideIndexKeys(policy: OverridePolicy): readonly string[] {
  const own = scopeOf(policy) === 'namespace' ? policy.metadata.namespace : undefined;
  const { resourceSelectors = [] } = policy.spec;
  const selectorKeys = resourceSelectors.flatMap((selector) =>
    selectorIndexKeys({ ...selector, ...overriddenKind(selector) }, own),
  );
  const keys = resourceSelectors.length > 0 ? selectorKeys : [allOverriddenKey(own)];
  return [kindKey(kindOf(policy)), overridesKey, ...new Set(keys)];
}

function selectorIndexKeys(selector: ResourceSelector, own: string | undefined): readonly string[] {
  const kind = kindOf(selector);
  const what = narrowing(selector);
  const indexKeysAt = (where: string): readonly string[] => {
    const { any, named, labelled } = new Corner(kind, where);
    const special = what === '*' ? [] : [what.startsWith('n') ? named : labelled];
    return [selectorKey(kind, where, what), any, ...special];
  };
  if (own !== undefined) return [...indexKeysAt(`=${own}`), placesIndexKey(kind)];
  if (!selector.namespace) return indexKeysAt('');
  const { names, prefixes } = namespacePattern(selector.namespace);
  return [
    ...names.flatMap((name) => indexKeysAt(`=${name}`)),
    ...(names.length > 0 ? [placesIndexKey(kind)] : []),
    ...prefixes.flatMap((prefix) => [...indexKeysAt(`^${prefix}`), prefixKey(kind, prefix)]),
    ...(prefixes.length > 0 ? [prefixKey(kind, '')] : []),
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

function rolloutIndexKeys(rollout: RolloutPolicy): readonly string[] {
  const own = scopeOf(rollout) === 'namespace' ? rollout.metadata.namespace : undefined;
  const selected = rollout.spec.resourceSelectors.map((selector) => rolloutKey(kindOf(selector), own));
  return [rolloutsKey, ...new Set(selected)];
}

/** RolloutPolicies of a namespace that select a kind; without a namespace, ClusterRolloutPolicies. */
export const rolloutKey = (kind: string, namespace: string | undefined): string => `hold|${kind}|${namespace ?? ''}`;

function workIndexKeys(work: KubeObject): readonly string[] {
  const id = workBindingIdOf(work);
  const inMember = memberWorksKey(work.metadata.namespace ?? '');
  if (id) return [worksKey(id), inMember];
  const { manifests } = (work as Work).spec.workload;
  const named = manifests.map((manifest) => namedInWorkKey(work.metadata.namespace ?? '', keyOf(refOf(manifest))));
  const quota = quotaOf(work);
  const ofQuota = quota ? [quotaWorksKey(quota.namespace, quota.name)] : [];
  return [inMember, ...new Set(named), ...ofQuota];
}

/** The FederatedResourceQuota that a Work brings to a member; undefined for other Works. */
export function quotaOf({ metadata: { labels } }: KubeObject): Required<Pick<Ref, 'namespace' | 'name'>> | undefined {
  const [namespace, name] = [labels?.[quotaNamespaceLabel], labels?.[quotaNameLabel]];
  return namespace && name ? { namespace, name } : undefined;
}

/** The Works of a FederatedResourceQuota. */
export const quotaWorksKey = (namespace: string, name: string): string => `quota|${namespace}|${name}`;
/** The bindings of the ResourceQuotas of a namespace. */
export const quotasInKey = (namespace: string): string => `quotas|${namespace}`;
/** The bindings of a namespace. */
export const bindingsInKey = (namespace: string): string => `${bindingsKey}|${namespace}`;

/** Works without a binding, by the execution namespace and the key of an object that they bring. */
export const namedInWorkKey = (namespace: string, key: string): string => `brings|${namespace}|${key}`;

/** The id of the binding that made a Work. */
export function workBindingIdOf({ metadata: { labels } }: KubeObject): string | undefined {
  return labels?.[bindingFamilies.namespace.idLabel] ?? labels?.[bindingFamilies.cluster.idLabel];
}

/** The permanent id of the binding that a Work belongs to; those of namespaces that all members have belong to none. */
export function referredBindingId({ metadata: { labels } }: KubeObject): string | undefined {
  return labels?.[bindingFamilies.namespace.idLabel] ?? labels?.[bindingFamilies.cluster.idLabel];
}

function bindingIndexKeys(binding: Binding): readonly string[] {
  const { namespace } = binding.metadata;
  const indexKeys = namespace === undefined ? [bindingsKey] : [bindingsKey, bindingsInKey(namespace)];
  for (const key in binding.metadata.labels) {
    if (key.startsWith(dependedByPrefix)) indexKeys.push(attachedKey(key.slice(dependedByPrefix.length)));
  }
  for (const ref of recordedDependencies(binding)) indexKeys.push(neededByKey(keyOf(ref)));
  if (isMoving(binding)) indexKeys.push(...moveIndexKeys(binding));
  if (binding.spec.resource.kind === 'ResourceQuota') indexKeys.push(quotasInKey(namespace ?? ''));
  if (binding.spec.workloadAffinityGroups) indexKeys.push(...groupIndexKeys(binding));
  return indexKeys;
}

/** The groups of workloads that a binding belongs to. */
export function groupIndexKeys({ metadata: { namespace = '' }, spec }: Binding): readonly string[] {
  const { affinityGroup, antiAffinityGroup } = spec.workloadAffinityGroups ?? {};
  const keys: string[] = [];
  if (affinityGroup !== undefined) keys.push(affinityGroupKey(namespace, affinityGroup));
  if (antiAffinityGroup !== undefined) keys.push(antiAffinityGroupKey(namespace, antiAffinityGroup));
  return keys;
}

function moveIndexKeys(binding: Binding): readonly string[] {
  const { resource } = binding.spec;
  const { namespace } = resource;
  if (namespace === undefined) return [movesIndexKey];
  if (!workloadKind(resource)) return [movesIndexKey, supportIndexKey(namespace)];
  return [movesIndexKey, ...movesOf(binding).map(({ fromCluster }) => movingIndexKey(namespace, fromCluster))];
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

function templateIndexKeys(template: KubeObject): readonly string[] {
  const { namespace, name, labels } = template.metadata;
  const kind = kindOf(template);
  const indexKeys = [kindKey(kind), nameKey(kind, name)];
  if (namespace) indexKeys.push(namespaceKey(kind, namespace));
  for (const key in labels) indexKeys.push(labelKey(kind, `${key}=${labels[key]}`));
  const managingId = managingPolicyIdOf(template);
  if (managingId) indexKeys.push(managedByKey(managingId));
  return indexKeys;
}

/** The permanent id under whose index key a template stands. */
export function managingPolicyIdOf({ metadata: { labels } }: KubeObject): string | undefined {
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
