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
  eachTemplateOf,
  managingPolicyIdOf,
  managedByKey,
  kindKey,
  kindOf,
  memberWorksKey,
  movesIndexKey,
  neededByKey,
  supportIndexKey,
  worksKey,
} from '../match/index.ts';
import { isMoving } from '../move/index.ts';
import { isFleetChange } from '../schedule/index.ts';
import { questionOf } from './undecided.ts';
import type { Change } from './world.ts';

/** The questions that a change can reopen; each is one decision about one object. */
export type Question =
  | 'claim'
  | 'farewell'
  | 'cluster'
  | 'namespace'
  | 'hold'
  | 'dependencies'
  | 'evict'
  | 'schedule'
  | 'render'
  | 'dispatch'
  | 'reflect'
  | 'collect';

/** Called with a question and the key of the object that it is about, and with the object where it is at hand. */
export type Wake = (question: Question, key: string, object?: KubeObject) => void;

/** Which questions does a change reopen? Level-triggered: the change itself is forgotten, only keys go on. */
export function wake(view: View, change: Change, ask: Wake): void {
  const object = change.after ?? change.before;
  if (!object) return;
  if (change.at !== undefined) return wakeMember(view, change, ask);
  if (view.unreadable.has(change.key)) return wakeUnreadable(view, change, ask);
  if (change.key === removalsKey) return wakeRemovals(view, ask);
  wakeOf(object)?.(view, change, ask);
}

/** Every removal waits for the end of the suspension of removals. */
function wakeRemovals(view: View, ask: Wake): void {
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

/** An object that cannot be read has one question left, and those that rely on it are to say so. */
function wakeUnreadable(view: View, { key, before, after }: Change, ask: Wake): void {
  const question = after && questionOf(after);
  if (question) ask(question, key);
  if (after?.kind.endsWith('PropagationPolicy')) {
    const id = policyIdOf(after as Policy);
    if (id) view.each(managedByKey(id), (_, template) => ask('claim', template));
  }
  if (before) wakeOf(before)?.(view, { key, before, after: undefined }, ask);
}

type Waker = (view: View, change: Change, ask: Wake) => void;

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

function wakePolicy(view: View, { key, before, after }: Change, ask: Wake): void {
  if (isStatusOnly(before, after)) return;
  ask('farewell', key);
  const claim = (template: KubeObject, found: string): void => ask('claim', found, template);
  const id = policyIdOf((after ?? before) as Policy);
  if (id) view.each(managedByKey(id), claim);
  const claimNew = (template: KubeObject, found: string): void => {
    if (!id || managingPolicyIdOf(template) !== id) claim(template, found);
  };
  if (after) eachTemplateOf(view, after as Policy, claimNew);
  if (before && mayBeWaitedFor(view, before as Policy)) eachTemplateOf(view, before as Policy, claim);
}

/** Do templates that the policy does not hold wait for it? They may take another when it wants them no longer. */
function mayBeWaitedFor({ gates }: View, { spec }: Policy): boolean {
  return gates.StaticPolicy || Boolean(spec.dependentOverrides?.length);
}

/** Policies may wait for overrides that they depend on. */
function wakeOverride(view: View, { before, after }: Change, ask: Wake): void {
  const object = after ?? before;
  const kind = object?.kind === 'OverridePolicy' ? 'PropagationPolicy' : 'ClusterPropagationPolicy';
  view.each(kindKey(`${policyApi}|${kind}`), (found) => {
    const policy = found as Policy;
    if (policy.metadata.namespace !== object?.metadata.namespace) return;
    if (!policy.spec.dependentOverrides?.includes(object?.metadata.name ?? '')) return;
    eachTemplateOf(view, policy, (_, template) => ask('claim', template));
  });
}

function wakeRollout(view: View, { key, before, after }: Change, ask: Wake): void {
  ask('hold', key);
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

/** Scripts about a kind concern every template of it, and what is known of its copies in members. */
function wakeCustomization(view: View, { before, after }: Change, ask: Wake): void {
  if (isStatusOnly(before, after)) return;
  for (const customization of [before, after] as readonly (ResourceInterpreterCustomization | undefined)[]) {
    if (customization)
      view.each(kindKey(kindOf(customization.spec.target)), (template, key) =>
        wakeInterpreted(view, { template, key }, ask),
      );
  }
}

function wakeInterpreted(view: View, { template, key }: { template: KubeObject; key: string }, ask: Wake): void {
  ask('claim', key);
  const binding = view.get(keyOf(bindingRefIn(view, template))) as Binding | undefined;
  if (!binding) return;
  for (const question of ['dependencies', 'render', 'evict', 'collect'] as const) ask(question, keyOf(refOf(binding)));
  view.each(worksKey(bindingIdOf(binding) ?? ''), (_, work) => {
    ask('dispatch', work);
    ask('reflect', work);
  });
}

/** A suspension of a binding also moves its dependencies. */
function wakeSuspended(view: View, bindingKey: string, ask: Wake): void {
  ask('evict', bindingKey);
  ask('dependencies', bindingKey);
  ask('render', bindingKey);
  const binding = view.get(bindingKey);
  if (binding) wakeAttached(view, binding.metadata, ask);
}

/** The dependencies of a binding depend on its claim, its suspensions and its clusters. */
function wakeAttached(view: View, binding: Parameters<typeof referenceKey>[0], ask: Wake): void {
  view.each(attachedKey(referenceKey(binding)), (_, attached) => ask('render', attached));
}

function wakeTemplate(view: View, { key, before, after }: Change, ask: Wake): void {
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

function wakeNamespace(view: View, { key, before, after }: Change, ask: Wake): void {
  ask('namespace', key);
  const member = memberOfNamespace((after ?? before)?.metadata.name);
  if (member === undefined) return;
  ask('cluster', clusterKey(member));
  if (!before) wakeNamespaces(view, ask);
}

/** Every member gets every namespace, once its namespace for Works exists. */
function wakeNamespaces(view: View, ask: Wake): void {
  view.each(kindKey('v1|Namespace'), (_, namespace) => ask('namespace', namespace));
}

const clusterKey = (name: string): string => keyOf({ apiVersion: clusterApi, kind: 'Cluster', name });

/** A policy that is being deleted waits for its last template to be released. */
function wakeFormerPolicy(before: KubeObject | undefined, after: KubeObject | undefined, ask: Wake): void {
  const was = before && claimOf(before);
  if (!was || (after && claimOf(after)?.id === was.id)) return;
  const { family, name, namespace } = was;
  ask('farewell', keyOf({ apiVersion: policyApi, kind: family.kind, ...(namespace && { namespace }), name }));
}

function wakeBinding(view: View, { key, before, after }: Change, ask: Wake): void {
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

/** Whether the deletion of a Work was a wish depends on its binding. */
function wakeDeletedWorks(view: View, binding: Binding, ask: Wake): void {
  const id = bindingIdOf(binding);
  if (!id) return;
  view.each(worksKey(id), (work, key) => {
    if (work.metadata.deletionTimestamp) ask('dispatch', key);
  });
}

/** Objects that run no pods leave a member after the workloads of their namespace. */
function wakeSupport(view: View, before: Binding | undefined, ask: Wake): void {
  if (!before || !isMoving(before)) return;
  const { resource } = before.spec;
  if (resource.namespace) view.each(supportIndexKey(resource.namespace), (_, key) => ask('evict', key));
}

/** A move ends when its copies are healthy; a binding that is not moving need not be asked. */
export function wakeMove(view: View, binding: string, ask: Wake): void {
  const found = view.has(movesIndexKey) ? (view.get(binding) as Binding | undefined) : undefined;
  if (found && isMoving(found)) ask('evict', binding);
}

function wakeWork(view: View, { key, before, after }: Change, ask: Wake): void {
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

/** A Work without a binding brings a namespace to a member. When it goes it makes way for one of a namespace that was made again. */
function wakeSpread(work: Work, ask: Wake): void {
  const namespace = work.spec.workload.manifests[0];
  if (namespace && isNamespace(namespace)) ask('namespace', keyOf(refOf(namespace)));
}

function wakeBindings(view: View, ask: Wake): void {
  view.each(bindingsKey, (_, key) => {
    ask('evict', key);
    ask('schedule', key);
  });
}

function wakeCluster(view: View, { key, before, after }: Change, ask: Wake): void {
  ask('cluster', key);
  const [was, is] = [before as Cluster | undefined, after as Cluster | undefined];
  if (isFleetChange(was, is)) wakeBindings(view, ask);
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

/** Can the member be written to now and could not before, or the other way round; or other kinds; or is it leaving? */
function isReachChange(was: Cluster | undefined, is: Cluster | undefined): boolean {
  if (isReady(was) !== isReady(is) || is?.metadata.deletionTimestamp !== undefined) return true;
  return !equal(was?.status?.apiEnablements, is?.status?.apiEnablements);
}

/** Status is for the collector alone: everybody writes it all the time, and no other decision reads it. */
function isStatusOnly(before: KubeObject | undefined, after: KubeObject | undefined): boolean {
  if (!before || !after || before.metadata.generation === undefined) return false;
  return before.metadata.generation === after.metadata.generation && sameMarks(before.metadata, after.metadata);
}

const marks = ['uid', 'labels', 'annotations', 'finalizers', 'ownerReferences', 'deletionTimestamp'] as const;

function sameMarks(a: KubeObject['metadata'], b: KubeObject['metadata']): boolean {
  return marks.every((mark) => equal(a[mark], b[mark]));
}

/** A member's object concerns the Work that wrote it, or the Work that would write one of that name. */
function wakeMember(view: View, change: Change, ask: Wake): void {
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

function wakeMoveOf(view: View, key: string, ask: Wake): void {
  const work = view.has(movesIndexKey) ? view.get(key) : undefined;
  const binding = work && bindingKeyOf(work);
  if (binding) wakeMove(view, binding, ask);
}

/** All questions about everything there is: what a world of unknown history has to be asked. */
export function wakeAll(view: View, objects: Iterable<readonly [string, KubeObject]>, ask: Wake): void {
  for (const [key, object] of objects) {
    if (key.startsWith('@')) continue;
    if (view.unreadable.has(key)) wakeUnreadable(view, { key, before: undefined, after: object }, ask);
    else if (object.kind === 'Cluster') ask('cluster', key);
    else if (object.kind.endsWith('PropagationPolicy')) ask('farewell', key);
    else wake(view, { key, before: undefined, after: object }, ask);
  }
}
