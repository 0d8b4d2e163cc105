import {
  clusterApi,
  executionNamespace,
  isOwnApi,
  keyOf,
  memberOfNamespace,
  policyApi,
  referenceKey,
  refOf,
  workApi,
  workNameAnnotation,
  workNamespaceAnnotation,
} from '../../api/index.ts';
import type {
  Binding,
  Cluster,
  KubeObject,
  OverridePolicy,
  Policy,
  ResourceInterpreterCustomization,
  RolloutPolicy,
  View,
  Work,
} from '../../api/index.ts';
import { equal, lookup } from '../../base/index.ts';
import { bindingOf, bindingRefIn, claimOf, isTemplateKind, policyIdOf, workNameOf } from '../claim/index.ts';
import { isReady, removalsKey } from '../dispatch/index.ts';
import {
  attachedKey,
  bindingIdOf,
  bindingKeyOf,
  bindingsKey,
  eachNear,
  eachOverridden,
  eachTemplateOf,
  managingPolicyIdOf,
  managedByKey,
  kindKey,
  kindOf,
  memberWorksKey,
  movesIndexKey,
  neededByKey,
  overridesKey,
  supportIndexKey,
  worksKey,
} from '../match/index.ts';
import { isMoving } from '../move/index.ts';
import { isFleetChange } from '../schedule/index.ts';
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

type OfOverride = 'claim' | 'render' | 'namespace';
type OfSuspended = 'evict' | 'dependencies' | 'render';
type OfTemplate = 'claim' | 'render' | 'dependencies' | 'collect' | 'namespace' | 'cluster' | 'policy';
type OfInterpreted = 'claim' | 'dependencies' | 'render' | 'evict' | 'collect' | 'dispatch' | 'reflect';
type OfBinding = 'claim' | 'dependencies' | 'evict' | 'schedule' | 'render' | 'collect' | 'dispatch' | 'cluster';

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
  ResourceInterpreterCustomization: wakeCustomization,
});

function wakePolicy(view: View, { key, before, after }: Change, ask: Wake<'policy' | 'claim'>): void {
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
function wakeOverride(view: View, { before, after }: Change, ask: Wake<OfOverride>): void {
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

function wakeRollout(
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
function wakeCustomization(view: View, { before, after }: Change, ask: Wake<OfInterpreted>): void {
  if (isStatusOnly(before, after)) return;
  for (const customization of [before, after] as readonly (ResourceInterpreterCustomization | undefined)[]) {
    if (customization)
      view.each(kindKey(kindOf(customization.spec.target)), (template, key) =>
        wakeInterpreted(view, { template, key }, ask),
      );
  }
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

/** The dependencies of a binding depend on its claim, its suspensions and its clusters. */
function wakeAttached(view: View, binding: Parameters<typeof referenceKey>[0], ask: Wake<'render'>): void {
  view.each(attachedKey(referenceKey(binding)), (_, attached) => ask('render', attached));
}

function wakeTemplate(view: View, { key, before, after }: Change, ask: Wake<OfTemplate>): void {
  const object = after ?? before;
  if (!object) return;
  const ref = bindingRefIn(view, object);
  const binding = keyOf(ref);
  if (isStatusOnly(before, after)) return ask('collect', binding);
  if (isNamespace(object)) wakeNamespace(view, { key, before, after }, ask);
  ask('claim', key);
  ask('render', binding);
  ask('dependencies', binding);
  ask('collect', binding);
  view.each(neededByKey(key), (_, referrer) => ask('dependencies', referrer));
  wakeAttached(view, ref, ask);
  wakeFormerPolicy(before, after, ask);
}

const isNamespace = ({ apiVersion, kind }: KubeObject): boolean => kind === 'Namespace' && apiVersion === 'v1';

function wakeNamespace(view: View, { key, before, after }: Change, ask: Wake<'namespace' | 'cluster'>): void {
  ask('namespace', key);
  const member = memberOfNamespace((after ?? before)?.metadata.name);
  if (member === undefined) return;
  ask('cluster', clusterKey(member));
  if (!before) wakeNamespaces(view, ask);
}

/** Every member gets every namespace, once the namespace for its Works exists. */
function wakeNamespaces(view: View, ask: Wake<'namespace'>): void {
  view.each(kindKey('v1|Namespace'), (_, namespace) => ask('namespace', namespace));
}

const clusterKey = (name: string): string => keyOf({ apiVersion: clusterApi, kind: 'Cluster', name });

/** A policy that is being deleted waits until its last template is released. */
function wakeFormerPolicy(before: KubeObject | undefined, after: KubeObject | undefined, ask: Wake<'policy'>): void {
  const was = before && claimOf(before);
  if (!was || (after && claimOf(after)?.id === was.id)) return;
  const { family, name, namespace } = was;
  ask('policy', keyOf({ apiVersion: policyApi, kind: family.kind, ...(namespace && { namespace }), name }));
}

function wakeBinding(view: View, { key, before, after }: Change, ask: Wake<OfBinding>): void {
  const binding = (after ?? before) as Binding;
  if (isStatusOnly(before, after)) {
    for (const question of ['evict', 'schedule', 'collect'] as const) ask(question, key);
    return;
  }
  ask('claim', keyOf(binding.spec.resource));
  for (const question of ['dependencies', 'evict', 'schedule', 'render', 'collect'] as const) ask(question, key);
  wakeSupport(view, before as Binding | undefined, ask);
  wakeAttached(view, binding.metadata, ask);
  wakeDeletedWorks(view, binding, ask);
  for (const { name } of (before as Binding | undefined)?.spec.clusters ?? []) ask('cluster', clusterKey(name));
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
  ask: Wake<'collect' | 'cluster' | 'reflect' | 'dispatch' | 'render' | 'evict' | 'namespace'>,
): void {
  const work = after ?? before;
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

function wakeCluster(
  view: View,
  { key, before, after }: Change,
  ask: Wake<'cluster' | 'evict' | 'schedule' | 'render' | 'namespace' | 'dispatch' | 'collect'>,
): void {
  ask('cluster', key);
  const [was, is] = [before as Cluster | undefined, after as Cluster | undefined];
  if (isFleetChange(was, is)) wakeByFleet(view, ask);
  if (!was || !is) wakeNamespaces(view, ask);
  if (!isReachChange(was, is)) return;
  view.each(movesIndexKey, (_, moving) => ask('evict', moving));
  const name = (is ?? was)?.metadata.name ?? '';
  view.each(memberWorksKey(executionNamespace(name)), (work, key) => {
    ask('dispatch', key);
    const binding = bindingKeyOf(work);
    if (binding) ask('collect', binding);
  });
}

/** Tells whether the member became ready or unready, serves other kinds, or leaves. */
function isReachChange(was: Cluster | undefined, is: Cluster | undefined): boolean {
  if (isReady(was) !== isReady(is) || is?.metadata.deletionTimestamp !== undefined) return true;
  return !equal(was?.status?.apiEnablements, is?.status?.apiEnablements);
}

/** Tells whether only the status changed: it changes all the time, and few questions read it. */
function isStatusOnly(before: KubeObject | undefined, after: KubeObject | undefined): boolean {
  if (!before || !after || before.metadata.generation === undefined) return false;
  return before.metadata.generation === after.metadata.generation && sameMarks(before.metadata, after.metadata);
}

const marks = ['uid', 'labels', 'annotations', 'finalizers', 'ownerReferences', 'deletionTimestamp'] as const;

function sameMarks(a: KubeObject['metadata'], b: KubeObject['metadata']): boolean {
  return marks.every((mark) => equal(a[mark], b[mark]));
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
