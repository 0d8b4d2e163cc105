import {
  executionNamespace,
  isOwnApi,
  keyOf,
  memberOfNamespace,
  policyApi,
  refOf,
  workApi,
  workNameAnnotation,
  workNamespaceAnnotation,
} from '../../api/index.ts';
import type { Binding, Cluster, KubeObject, Policy, View, Work } from '../../api/index.ts';
import { equal, lookup } from '../../base/index.ts';
import {
  bindingOf,
  bindingRefIn,
  claimOf,
  isTemplateKind,
  policyIdOf,
  priorityClassKind,
  workNameOf,
} from '../claim/index.ts';
import { targetKeyOf } from '../autoscale/index.ts';
import { conditionStatus } from '../conditions.ts';
import { isReady, removalsKey } from '../dispatch/index.ts';
import { outageCondition } from '../fleet/index.ts';
import {
  bindingIdOf,
  bindingKeyOf,
  bindingsKey,
  groupIndexKeys,
  managedByKey,
  quotaOf,
  kindKey,
  memberWorksKey,
  namedInWorkKey,
  movesIndexKey,
  neededByKey,
  overridesKey,
  supportIndexKey,
  worksKey,
} from '../match/index.ts';
import { isMoving } from '../move/index.ts';
import { isFleetChange } from '../schedule/index.ts';
import {
  clusterKey,
  isNamespace,
  isStatusOnly,
  wakeAttached,
  wakeAutoscale,
  wakeCustomization,
  wakeOverride,
  wakePolicy,
  wakeRebalancer,
  wakeRebalancers,
  wakePriority,
  wakeRollout,
  quotaKind,
  wakeQuota,
  wakeQuotas,
  wakeQuotasIn,
  wakeTaintPolicy,
  wakeWebhooks,
} from './policy-wakes.ts';
import type { Wake } from './question.ts';
import { questionOf } from './undecided.ts';
import type { Change } from './world.ts';

/** Asks the questions that a change reopens. Level-triggered: only the keys of objects go on, the change is forgotten. */
export function wake(view: View, change: Change, ask: Wake): void {
  const object = change.after ?? change.before;
  if (!object) return;
  if (change.at !== undefined) return wakeMember(view, change, ask);
  if (view.unreadable.has(change.key)) return wakeUnreadable(view, change, ask);
  if (change.key === removalsKey) return wakeRemovals(view, ask);
  wakeOf(object)?.(view, change, ask);
}

/** Every removal waits for the end of the suspension of removals. */
function wakeRemovals(view: View, ask: Wake<'dispatch'>): void {
  for (const { metadata } of view.clusters) {
    view.each(memberWorksKey(executionNamespace(metadata.name)), (work, key) => {
      if (work.metadata.deletionTimestamp) ask('dispatch', key);
    });
  }
}

function wakeOf(object: KubeObject): Waker | undefined {
  if (isOwnApi(object.apiVersion)) return wakers[object.kind];
  return isTemplateKind(object) ? wakeTemplate : undefined;
}

/** Asks the one question that is left about an unreadable object, and questions about objects that rely on it. */
function wakeUnreadable(view: View, { key, before, after }: Change, ask: Wake): void {
  const question = after && questionOf(after);
  if (question) ask(question, key);
  if (after?.kind.endsWith('PropagationPolicy')) {
    const id = policyIdOf(after as Policy);
    if (id) view.each(managedByKey(id), (_, template) => ask('claim', template));
  }
  if (before) wakeOf(before)?.(view, { key, before, after: undefined }, ask);
}

/** Each waker names in its type the questions that a change of its kind can reopen. */
type Waker = (view: View, change: Change, ask: Wake) => void;

type OfTemplate =
  | 'autoscale'
  | 'claim'
  | 'render'
  | 'dependencies'
  | 'collect'
  | 'namespace'
  | 'cluster'
  | 'policy'
  | 'quota';
type OfBinding =
  | 'quota'
  | 'autoscale'
  | 'rebalance'
  | 'claim'
  | 'dependencies'
  | 'evict'
  | 'schedule'
  | 'render'
  | 'collect'
  | 'dispatch'
  | 'cluster';

const wakers: Readonly<Record<string, Waker>> = lookup({
  PropagationPolicy: wakePolicy,
  ClusterPropagationPolicy: wakePolicy,
  OverridePolicy: wakeOverride,
  ClusterOverridePolicy: wakeOverride,
  RolloutPolicy: wakeRollout,
  ClusterRolloutPolicy: wakeRollout,
  ResourceBinding: wakeBinding,
  ClusterResourceBinding: wakeBinding,
  Work: wakeWork,
  Cluster: wakeCluster,
  WorkloadRebalancer: wakeRebalancer,
  ClusterTaintPolicy: wakeTaintPolicy,
  FederatedResourceQuota: wakeQuota,
  ResourceInterpreterCustomization: wakeCustomization,
  ResourceInterpreterWebhookConfiguration: wakeWebhooks,
});

function wakeTemplate(view: View, { key, before, after }: Change, ask: Wake<OfTemplate>): void {
  const object = after ?? before;
  if (!object) return;
  const ref = bindingRefIn(view, object);
  const binding = keyOf(ref);
  wakeAutoscale(view, ask, key, before && targetKeyOf(before), after && targetKeyOf(after));
  if (isStatusOnly(before, after)) return ask('collect', binding);
  if (isNamespace(object)) wakeNamespace(view, { key, before, after }, ask);
  if (object.kind === priorityClassKind.kind) wakePriority(view, object, ask);
  ask('claim', key);
  ask('render', binding);
  ask('dependencies', binding);
  ask('collect', binding);
  view.each(neededByKey(key), (_, referrer) => ask('dependencies', referrer));
  wakeAttached(view, ref, ask);
  wakeFormerPolicy(before, after, ask);
}

function wakeNamespace(view: View, { key, before, after }: Change, ask: Wake<'namespace' | 'cluster' | 'quota'>): void {
  ask('namespace', key);
  const member = memberOfNamespace((after ?? before)?.metadata.name);
  if (member === undefined) return;
  ask('cluster', clusterKey(member));
  if (before) return;
  wakeNamespaces(view, ask);
  wakeQuotas(view, ask);
}

/** Every member gets every namespace, once the namespace for its Works exists. */
function wakeNamespaces(view: View, ask: Wake<'namespace'>): void {
  view.each(kindKey('v1|Namespace'), (_, namespace) => ask('namespace', namespace));
}

/** A policy that is being deleted waits until its last template is released. */
function wakeFormerPolicy(before: KubeObject | undefined, after: KubeObject | undefined, ask: Wake<'policy'>): void {
  const was = before && claimOf(before);
  if (!was || (after && claimOf(after)?.id === was.id)) return;
  const { family, name, namespace } = was;
  ask('policy', keyOf({ apiVersion: policyApi, kind: family.kind, ...(namespace && { namespace }), name }));
}

function wakeBinding(view: View, { key, before, after }: Change, ask: Wake<OfBinding>): void {
  const binding = (after ?? before) as Binding;
  wakeAutoscale(view, ask, keyOf(binding.spec.resource));
  if (isStatusOnly(before, after)) {
    for (const question of ['evict', 'schedule', 'collect'] as const) ask(question, key);
    return;
  }
  ask('claim', keyOf(binding.spec.resource));
  for (const question of ['dependencies', 'evict', 'schedule', 'render', 'collect'] as const) ask(question, key);
  wakeSupport(view, before as Binding | undefined, ask);
  wakeRebalancers(view, ask);
  wakeQuotasIn(view, { key, before, after }, ask);
  wakeGroups(view, { key, before, after }, ask);
  wakeAttached(view, binding.metadata, ask);
  wakeDeletedWorks(view, binding, ask);
  for (const { name } of (before as Binding | undefined)?.spec.clusters ?? []) ask('cluster', clusterKey(name));
}

/** The workloads of a group are placed together or apart. */
function wakeGroups(view: View, { before, after }: Change, ask: Wake<'schedule'>): void {
  for (const state of [before, after] as readonly (Binding | undefined)[]) {
    for (const group of state ? groupIndexKeys(state) : []) view.each(group, (_, other) => ask('schedule', other));
  }
}

/** The meaning of the deletion of a Work depends on its binding. */
function wakeDeletedWorks(view: View, binding: Binding, ask: Wake<'dispatch'>): void {
  const id = bindingIdOf(binding);
  if (!id) return;
  view.each(worksKey(id), (work, key) => {
    if (work.metadata.deletionTimestamp) ask('dispatch', key);
  });
}

/** An object without pods leaves a member after the workloads of its namespace. */
function wakeSupport(view: View, before: Binding | undefined, ask: Wake<'evict'>): void {
  if (!before || !isMoving(before)) return;
  const { resource } = before.spec;
  if (resource.namespace) view.each(supportIndexKey(resource.namespace), (_, key) => ask('evict', key));
}

/** Asks whether a move has ended: its copies may be healthy. A binding that is not moving is not asked about. */
export function wakeMove(view: View, binding: string, ask: Wake<'evict'>): void {
  const found = view.has(movesIndexKey) ? (view.get(binding) as Binding | undefined) : undefined;
  if (found && isMoving(found)) ask('evict', binding);
}

function wakeWork(
  view: View,
  { key, before, after }: Change,
  ask: Wake<'collect' | 'cluster' | 'reflect' | 'dispatch' | 'render' | 'evict' | 'namespace' | 'quota'>,
): void {
  const work = after ?? before;
  if (work) wakeQuotaOf(work, ask);
  const binding = work && bindingKeyOf(work);
  if (binding) ask('collect', binding);
  if (!after) ask('cluster', clusterKey(memberOfNamespace(work?.metadata.namespace) ?? ''));
  ask('reflect', key);
  if (isStatusOnly(before, after)) return;
  ask('dispatch', key);
  if (binding) {
    ask('render', binding);
    wakeMove(view, binding, ask);
  } else wakeSpread(work as Work, ask);
}

function wakeQuotaOf(work: KubeObject, ask: Wake<'quota'>): void {
  const quota = quotaOf(work);
  if (quota) ask('quota', keyOf({ ...quotaKind, ...quota }));
}

/** A Work without a binding brings a namespace to a member. After its deletion the namespace may get a new one. */
function wakeSpread(work: Work, ask: Wake<'namespace'>): void {
  const namespace = work.spec.workload.manifests[0];
  if (namespace && isNamespace(namespace)) ask('namespace', keyOf(refOf(namespace)));
}

/** Placements select clusters, and so do overrides. */
function wakeByFleet(view: View, ask: Wake<'evict' | 'schedule' | 'render' | 'namespace'>): void {
  const isOverridden = view.has(overridesKey);
  view.each(bindingsKey, (_, key) => {
    ask('evict', key);
    ask('schedule', key);
    if (isOverridden) ask('render', key);
  });
  if (isOverridden) wakeNamespaces(view, ask);
}

/** An outage is the failure of several members, and all of them say so. Evictions wait for what they say. */
function wakeOutage(view: View, [was, is]: readonly (Cluster | undefined)[], ask: Wake<'cluster' | 'evict'>): void {
  const [before, after] = [was, is].map((one) => conditionStatus(one?.status?.conditions, outageCondition));
  if (before !== after) view.each(bindingsKey, (_, key) => ask('evict', key));
  if (isReady(was) === isReady(is) && !isFleetChange(was, is)) return;
  for (const { metadata } of view.clusters) ask('cluster', clusterKey(metadata.name));
}

function wakeCluster(
  view: View,
  { key, before, after }: Change,
  ask: Wake<'cluster' | 'evict' | 'schedule' | 'render' | 'namespace' | 'dispatch' | 'collect' | 'quota'>,
): void {
  ask('cluster', key);
  const [was, is] = [before as Cluster | undefined, after as Cluster | undefined];
  if (isFleetChange(was, is)) wakeByFleet(view, ask);
  wakeOutage(view, [was, is], ask);
  if (!was || !is) {
    wakeNamespaces(view, ask);
    wakeQuotas(view, ask);
  }
  if (!isReachChange(was, is)) return;
  view.each(movesIndexKey, (_, moving) => ask('evict', moving));
  const name = (is ?? was)?.metadata.name ?? '';
  view.each(memberWorksKey(executionNamespace(name)), (work, key) => {
    ask('dispatch', key);
    const binding = bindingKeyOf(work);
    if (!binding) return;
    ask('collect', binding);
    ask('evict', binding);
  });
}

/** Tells whether the member became ready or unready, serves other kinds, or leaves. */
function isReachChange(was: Cluster | undefined, is: Cluster | undefined): boolean {
  if (isReady(was) !== isReady(is) || is?.metadata.deletionTimestamp !== undefined) return true;
  return !equal(was?.status?.apiEnablements, is?.status?.apiEnablements);
}

/** A member's object concerns the Work that wrote it, and the Work that would write an object of that name. */
function wakeMember(view: View, change: Change, ask: Wake<'dispatch' | 'reflect' | 'evict'>): void {
  const { at: member = '' } = change;
  for (const name of workNamesOf(view, change)) {
    const key = keyOf({ apiVersion: workApi, kind: 'Work', namespace: executionNamespace(member), name });
    ask('dispatch', key);
    ask('reflect', key);
    wakeMoveOf(view, key, ask);
  }
  const object = change.after ?? change.before;
  if (!object) return;
  view.each(namedInWorkKey(executionNamespace(member), keyOf(refOf(object))), (_, key) => {
    ask('dispatch', key);
    ask('reflect', key);
  });
}

function workNamesOf(view: View, { before, after, at }: Change): ReadonlySet<string> {
  const names = new Set<string>();
  for (const state of [before, after]) {
    const annotations = state?.metadata.annotations;
    const name = annotations?.[workNameAnnotation];
    if (name && memberOfNamespace(annotations[workNamespaceAnnotation]) === at) names.add(name);
  }
  const object = after ?? before;
  if (!object) return names;
  const template = view.get(keyOf(refOf(object)));
  return names.add(workNameOf(object, template && bindingOf(view, template)));
}

function wakeMoveOf(view: View, key: string, ask: Wake<'evict'>): void {
  const work = view.has(movesIndexKey) ? view.get(key) : undefined;
  const binding = work && bindingKeyOf(work);
  if (binding) wakeMove(view, binding, ask);
}

/** Asks all questions about all objects: for a world of unknown history, for example after a restart. */
export function wakeAll(view: View, objects: Iterable<readonly [string, KubeObject]>, ask: Wake): void {
  for (const [key, object] of objects) {
    if (key.startsWith('@')) continue;
    if (view.unreadable.has(key)) wakeUnreadable(view, { key, before: undefined, after: object }, ask);
    else if (object.kind === 'Cluster') ask('cluster', key);
    else if (object.kind.endsWith('PropagationPolicy')) ask('policy', key);
    else wake(view, { key, before: undefined, after: object }, ask);
  }
}
