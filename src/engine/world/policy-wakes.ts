/** The questions that changes of policies and customizations reopen, and what all wakers share. Start with wakes.ts. */
import { clusterApi, keyOf, policyApi, policyFamilies, referenceKey, refOf } from '../../api/index.ts';
import type {
  Binding,
  KubeObject,
  OverridePolicy,
  Policy,
  ResourceInterpreterCustomization,
  RolloutPolicy,
  View,
  ResourceInterpreterWebhookConfiguration,
} from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { bindingRefIn, policyIdOf } from '../claim/index.ts';
import {
  attachedKey,
  bindingIdOf,
  bindingsInKey,
  eachNear,
  eachOverridden,
  eachTemplateOf,
  kindKey,
  kindOf,
  managedByKey,
  managingPolicyIdOf,
  worksKey,
  bindingsKey,
} from '../match/index.ts';
import { isForKind } from '../interpret/index.ts';
import type { Wake } from './question.ts';
import type { Change } from './world.ts';

type OfOverride = 'claim' | 'render' | 'namespace';
type OfSuspended = 'evict' | 'dependencies' | 'render';
type OfInterpreted = 'claim' | 'dependencies' | 'render' | 'evict' | 'collect' | 'dispatch' | 'reflect';

/** A policy concerns the templates that it manages or selects, or has selected. */
export function wakePolicy(view: View, { key, before, after }: Change, ask: Wake<'policy' | 'claim'>): void {
  if (isStatusOnly(before, after)) return;
  ask('policy', key);
  const claim = (template: KubeObject, found: string): void => ask('claim', found, template);
  const id = policyIdOf((after ?? before) as Policy);
  if (id) view.each(managedByKey(id), claim);
  const claimNew = (template: KubeObject, found: string): void => {
    if (!id || managingPolicyIdOf(template) !== id) claim(template, found);
  };
  if (after) eachTemplateOf(view, after as Policy, claimNew);
  if (before && mayBeWaitedFor(view, before as Policy)) eachTemplateOf(view, before as Policy, claim);
}

/** Tells whether templates that the policy does not manage may wait for it: another policy may manage them when it stops selecting them. */
function mayBeWaitedFor({ gates }: View, { spec }: Policy): boolean {
  return gates.StaticPolicy || Boolean(spec.dependentOverrides?.length);
}

/** Policies may wait for overrides that they depend on, and Works say what overrides say. */
export function wakeOverride(view: View, { before, after }: Change, ask: Wake<OfOverride>): void {
  if (!before || !after) wakeDependent(view, (after ?? before) as OverridePolicy, ask);
  for (const policy of [before, after] as readonly (OverridePolicy | undefined)[]) {
    if (policy) eachOverridden(view, policy, (template, key) => wakeOverridden(view, [key, template], ask));
  }
}

function wakeOverridden(view: View, [key, template]: readonly [string, KubeObject], ask: Wake<OfOverride>): void {
  ask('render', keyOf(bindingRefIn(view, template)));
  if (isNamespace(template)) ask('namespace', key);
}

function wakeDependent(view: View, { kind, metadata }: OverridePolicy, ask: Wake<'claim'>): void {
  const dependent = kind === 'OverridePolicy' ? 'PropagationPolicy' : 'ClusterPropagationPolicy';
  view.each(kindKey(`${policyApi}|${dependent}`), (found) => {
    const policy = found as Policy;
    if (policy.metadata.namespace !== metadata.namespace) return;
    if (!policy.spec.dependentOverrides?.includes(metadata.name)) return;
    eachTemplateOf(view, policy, (_, template) => ask('claim', template));
  });
}

/** Policies wait for the PriorityClass that they name. */
export function wakePriority(view: View, { metadata }: KubeObject, ask: Wake<'claim'>): void {
  for (const { kind } of Object.values(policyFamilies)) {
    view.each(kindKey(`${policyApi}|${kind}`), (found) => {
      const policy = found as Policy;
      if (policy.spec.schedulePriority?.priorityClassName !== metadata.name) return;
      eachTemplateOf(view, policy, (_, template) => ask('claim', template));
    });
  }
}

/** A suspension takes effect at once, also for dependencies. */
export function wakeRollout(
  view: View,
  { key, before, after }: Change,
  ask: Wake<'suspension' | 'namespace' | OfSuspended>,
): void {
  ask('suspension', key);
  for (const rollout of [before, after] as readonly (RolloutPolicy | undefined)[]) {
    for (const selector of rollout?.spec.resourceSelectors ?? []) {
      const namespace = rollout?.metadata.namespace;
      const own = namespace ? { ...selector, namespace } : selector;
      eachNear(view, own, (template, found) => {
        wakeSuspended(view, keyOf(bindingRefIn(view, template)), ask);
        if (isNamespace(template)) ask('namespace', found);
      });
    }
  }
}

/** A script about a kind concerns every template of the kind, and its copies in members. */
export function wakeCustomization(view: View, { before, after }: Change, ask: Wake<OfInterpreted>): void {
  if (isStatusOnly(before, after)) return;
  for (const customization of [before, after] as readonly (ResourceInterpreterCustomization | undefined)[]) {
    if (customization)
      view.each(kindKey(kindOf(customization.spec.target)), (template, key) =>
        wakeInterpreted(view, { template, key }, ask),
      );
  }
}

/** A webhook concerns every template of the kinds in its rules, and their copies in members. */
export function wakeWebhooks(view: View, { before, after }: Change, ask: Wake<OfInterpreted>): void {
  const configurations = [before, after] as readonly (ResourceInterpreterWebhookConfiguration | undefined)[];
  const webhooks = configurations.flatMap((configuration) => configuration?.webhooks ?? []);
  view.each(bindingsKey, (binding) => {
    const { resource } = (binding as Binding).spec;
    const template = view.get(keyOf(resource));
    if (template && webhooks.some((webhook) => isForKind(webhook, resource)))
      wakeInterpreted(view, { template, key: keyOf(resource) }, ask);
  });
}

function wakeInterpreted(
  view: View,
  { template, key }: { template: KubeObject; key: string },
  ask: Wake<OfInterpreted>,
): void {
  ask('claim', key);
  const binding = view.get(keyOf(bindingRefIn(view, template))) as Binding | undefined;
  if (!binding) return;
  for (const question of ['dependencies', 'render', 'evict', 'collect'] as const) ask(question, keyOf(refOf(binding)));
  view.each(worksKey(bindingIdOf(binding) ?? ''), (_, work) => {
    ask('dispatch', work);
    ask('reflect', work);
  });
}

/** A suspension of a binding also concerns its dependencies. */
function wakeSuspended(view: View, bindingKey: string, ask: Wake<OfSuspended>): void {
  ask('evict', bindingKey);
  ask('dependencies', bindingKey);
  ask('render', bindingKey);
  const binding = view.get(bindingKey);
  if (binding) wakeAttached(view, binding.metadata, ask);
}

/** A policy that taints members concerns all of them; one that is deleted takes nothing back. */
export function wakeTaintPolicy(view: View, { before, after }: Change, ask: Wake<'cluster'>): void {
  if (!after || isStatusOnly(before, after)) return;
  for (const { metadata } of view.clusters) ask('cluster', clusterKey(metadata.name));
}

/** A template is asked about when it, its binding or an autoscaler of it changes; only while members may scale templates. */
export function wakeAutoscale(
  { settings }: View,
  ask: Wake<'autoscale'>,
  ...keys: readonly (string | undefined)[]
): void {
  if (!settings.hpaScaleTargetMarker && !settings.deploymentReplicasSyncer) return;
  for (const key of keys) if (key !== undefined) ask('autoscale', key);
}

/** A rebalancer is asked about when it, or the binding of one of its workloads, changes. */
export function wakeRebalancer(_: View, { key, after }: Change, ask: Wake<'rebalance'>): void {
  if (after) ask('rebalance', key);
}

/** Rebalancers wait for bindings, and for their own request to be noted there. */
export function wakeRebalancers(view: View, ask: Wake<'rebalance'>): void {
  view.each(rebalancersKey, (_, key) => ask('rebalance', key));
}

const rebalancersKey = kindKey('apps.karmada.io/v1alpha1|WorkloadRebalancer');

/** A quota concerns the Works of its shares; where it is enforced, also what its namespace may take. */
export function wakeQuota(view: View, { key, before, after }: Change, ask: Wake<'quota' | 'claim' | 'schedule'>): void {
  ask('quota', key);
  if (isStatusOnly(before, after) || !view.gates.FederatedQuotaEnforcement) return;
  wakeBindingsIn(view, (after ?? before)?.metadata.namespace, ask);
}

/** Members of assignments that are new to the fleet get their shares. */
export function wakeQuotas(view: View, ask: Wake<'quota'>): void {
  view.each(quotasKey, (_, key) => ask('quota', key));
}

/** Where a quota is enforced, a binding that takes less or more concerns it, and those that wait for what it leaves. */
export function wakeQuotasIn(view: View, { before, after }: Change, ask: Wake<'quota' | 'claim' | 'schedule'>): void {
  if (!isEnforced(view)) return;
  const [was, is] = [before as Binding | undefined, after as Binding | undefined];
  if (equal(was?.spec, is?.spec)) return;
  const namespace = (is ?? was)?.metadata.namespace;
  const limiting = quotaKeysIn(view, namespace);
  for (const key of limiting) ask('quota', key);
  if (limiting.length > 0 && was) wakeBindingsIn(view, namespace, ask);
}

/** Are there quotas, and do they limit what is placed? */
function isEnforced(view: View): boolean {
  return view.gates.FederatedQuotaEnforcement && view.has(quotasKey);
}

function quotaKeysIn(view: View, namespace: string | undefined): readonly string[] {
  const keys: string[] = [];
  view.each(quotasKey, (quota, key) => {
    if (quota.metadata.namespace === namespace) keys.push(key);
  });
  return keys;
}

function wakeBindingsIn(view: View, namespace: string | undefined, ask: Wake<'claim' | 'schedule'>): void {
  view.each(bindingsInKey(namespace ?? ''), (binding, key) => {
    ask('claim', keyOf((binding as Binding).spec.resource));
    ask('schedule', key);
  });
}

export const quotaKind = { apiVersion: policyApi, kind: 'FederatedResourceQuota' } as const;
const quotasKey = kindKey(`${policyApi}|FederatedResourceQuota`);

/** The dependencies of a binding depend on its claim, its suspensions and its clusters. */
export function wakeAttached(view: View, binding: Parameters<typeof referenceKey>[0], ask: Wake<'render'>): void {
  view.each(attachedKey(referenceKey(binding)), (_, attached) => ask('render', attached));
}

/** True for a namespace. */
export const isNamespace = ({ apiVersion, kind }: KubeObject): boolean => kind === 'Namespace' && apiVersion === 'v1';

/** The key of a Cluster. */
export const clusterKey = (name: string): string => keyOf({ apiVersion: clusterApi, kind: 'Cluster', name });

/** Tells whether only the status changed: it changes all the time, and few questions read it. */
export function isStatusOnly(before: KubeObject | undefined, after: KubeObject | undefined): boolean {
  if (!before || !after || before.metadata.generation === undefined) return false;
  return before.metadata.generation === after.metadata.generation && sameMarks(before.metadata, after.metadata);
}

const marks = ['uid', 'labels', 'annotations', 'finalizers', 'ownerReferences', 'deletionTimestamp'] as const;

function sameMarks(a: KubeObject['metadata'], b: KubeObject['metadata']): boolean {
  return marks.every((mark) => equal(a[mark], b[mark]));
}
