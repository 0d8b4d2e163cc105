import {
  conflictResolutionAnnotation,
  executionNamespace,
  isSystemNamespace,
  keyOf,
  managedLabel,
  skipAutoPropagationLabel,
  workApi,
  workFinalizer,
  workIdLabel,
  workName,
  workNameAnnotation,
  workNamespaceAnnotation,
} from '../../api/index.ts';
import type { Cluster, KubeObject, View, Work } from '../../api/index.ts';
import { equal, uuidOf } from '../../base/index.ts';
import { bindingOf, claimOf, ownerOf } from '../claim/index.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { suspends, rolloutSuspensions } from '../suspension/index.ts';
import type { ActiveSuspension } from '../suspension/index.ts';
import { overridesNear } from '../match/index.ts';
import {
  overridden,
  overrideRecordOf,
  overridesInEffect,
  overridesOf,
  withoutNotes,
  withRecord,
} from '../override/index.ts';
import type { ActiveOverride, OverridesInEffect } from '../override/index.ts';
import { managedKeys, prune, userKeys } from '../render/index.ts';
import { changedAt } from '../times.ts';

/** A namespace of the hub and the members that must have it too. */
export interface NamespaceFacts {
  readonly namespace: KubeObject;
  /** A policy places it: then it is a template like any other. */
  readonly placed: boolean;
  /** The clusters of the fleet that have a namespace for Works. */
  readonly clusters: readonly Cluster[];
  /** The Works that exist, by member. */
  readonly works: ReadonlyMap<string, Work>;
  /** The override policies that select it, in order. */
  readonly selecting: readonly ActiveOverride[];
  /** The suspensions by ClusterRolloutPolicies. */
  readonly suspensions: readonly ActiveSuspension[];
  readonly now: string;
}

/** The actions about a namespace. */
export type NamespaceAction = Action<'spread'>;

/** Gathers the facts; undefined when the Namespace is gone: its Works go with it. */
export function gatherNamespace(view: View, key: string): NamespaceFacts | undefined {
  const namespace = view.get(key);
  if (!namespace) return undefined;
  const works = new Map<string, Work>();
  const clusters = view.clusters.filter((cluster) => isPrepared(view, cluster));
  for (const { metadata } of clusters) {
    const work = view.get(keyOf(workRef(namespace, metadata.name))) as Work | undefined;
    if (work) works.set(metadata.name, work);
  }
  const placed = claimOf(namespace) !== undefined || bindingOf(view, namespace) !== undefined;
  const selecting = overridesOf(overridesNear(view, namespace), namespace);
  return {
    namespace,
    placed,
    clusters,
    works,
    selecting,
    suspensions: rolloutSuspensions(view, namespace),
    now: view.now,
  };
}

/** A member that leaves, or whose own namespace on the hub is not there yet, gets nothing new. */
function isPrepared(view: View, { metadata }: Cluster): boolean {
  if (metadata.deletionTimestamp) return false;
  const space = view.get(keyOf({ apiVersion: 'v1', kind: 'Namespace', name: executionNamespace(metadata.name) }));
  return space !== undefined && !space.metadata.deletionTimestamp;
}

/** The Work that brings a namespace to a member. */
export function workRef(
  namespace: KubeObject,
  member: string,
): { apiVersion: string; kind: string; namespace: string; name: string } {
  const name = workName({ kind: 'Namespace', name: namespace.metadata.name });
  return { apiVersion: workApi, kind: 'Work', namespace: executionNamespace(member), name };
}

/** Every member gets the namespaces in which templates may stand; without them nothing could be created there. */
export function decideNamespace(facts: NamespaceFacts): Decision<NamespaceAction> {
  const { namespace, placed, clusters, works } = facts;
  if (placed || !isSpread(namespace)) return rest('NotATemplate');
  const actions: NamespaceAction[] = [];
  const errors: string[] = [];
  for (const cluster of clusters) {
    const present = works.get(cluster.metadata.name);
    // It takes the namespace that was along; what is there now comes after it.
    if (present?.metadata.deletionTimestamp) continue;
    const wanted = workFor(facts, cluster, present);
    if ('error' in wanted) errors.push(`${cluster.metadata.name}: ${wanted.error}`);
    else actions.push(...spreadTo(facts, wanted, present));
  }
  if (errors.length > 0) return rest('OverrideFailed', errors.join('; '));
  return actions.length ? act('NamespaceSpread', ...actions) : rest('UpToDate');
}

function spreadTo({ now }: NamespaceFacts, wanted: Work, present: Work | undefined): readonly NamespaceAction[] {
  if (!present) return [{ do: 'spread', write: { verb: 'create', object: wanted } }];
  const isSame = equal(wanted.spec, present.spec) && equal(wanted.metadata.annotations, present.metadata.annotations);
  return isSame ? [] : [{ do: 'spread', write: { verb: 'update', object: changedAt(now, wanted) } }];
}

/** Tells whether every member gets this namespace, unless a policy places it. */
export function isSpread({ apiVersion, kind, metadata }: KubeObject): boolean {
  const { name, labels, deletionTimestamp } = metadata;
  if (apiVersion !== 'v1' || kind !== 'Namespace') return false;
  if (deletionTimestamp || name === 'default' || isSystemNamespace(name)) return false;
  return labels?.[skipAutoPropagationLabel]?.toLowerCase() !== 'true';
}

/** No policy says whether a namespace that a member has already may be taken over; it says so itself, or it may not. */
function overwriting({ metadata }: KubeObject): Readonly<Record<string, string>> {
  const wish = metadata.annotations?.[conflictResolutionAnnotation];
  return wish === 'overwrite' ? { [conflictResolutionAnnotation]: wish } : {};
}

/** The namespace as a member gets it, and what its Work notes of overrides. Its Work is all that can remember a lazy one. */
function overriddenFor(
  { namespace, selecting }: NamespaceFacts,
  cluster: Cluster,
  present: Work | undefined,
): ReturnType<typeof overridden> & { readonly record?: OverridesInEffect['record'] } {
  const works = new Map(present && [[cluster.metadata.name, present]]);
  const record = present && overrideRecordOf(present);
  const inEffect = overridesInEffect({ template: namespace, selecting, record, works });
  return { ...overridden(namespace, inEffect.overrides, cluster), record: inEffect.record };
}

function workFor(
  facts: NamespaceFacts,
  cluster: Cluster,
  present: Work | undefined,
): Work | { readonly error: string } {
  const { namespace, suspensions } = facts;
  const member = cluster.metadata.name;
  const made = overriddenFor(facts, cluster, present);
  if ('error' in made) return made;
  const { apiVersion: _, kind: __, ...place } = workRef(namespace, member);
  const id = uuidOf(`${namespace.metadata.uid}/${member}`);
  return {
    apiVersion: workApi,
    kind: 'Work',
    metadata: {
      ...present?.metadata,
      ...place,
      labels: { ...present?.metadata.labels, [workIdLabel]: id },
      ...notesFor(present, made),
      finalizers: present?.metadata.finalizers ?? [workFinalizer],
      ownerReferences: [ownerOf(namespace)],
    },
    spec: {
      workload: { manifests: [manifestOf(facts, made.object, { id, ...place })] },
      ...(suspends(suspensions, member) && { suspendDispatching: true }),
    },
    ...(present?.status && { status: present.status }),
  };
}

/** The annotations of a Work with what was applied; none when there is nothing to say. */
function notesFor(
  present: Work | undefined,
  { annotations, record }: { readonly annotations: object; readonly record?: OverridesInEffect['record'] },
): Pick<Work['metadata'], 'annotations'> {
  const all = withRecord({ ...withoutNotes(present?.metadata.annotations), ...annotations }, record) ?? {};
  return Object.keys(all).length > 0 ? { annotations: all } : {};
}

interface WorkIdentity {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
}

function manifestOf({ namespace }: NamespaceFacts, object: KubeObject, work: WorkIdentity): KubeObject {
  const plain = prune(object);
  const labels = { ...userKeys(plain.metadata.labels), [managedLabel]: 'true', [workIdLabel]: work.id };
  const annotations = {
    ...userKeys(plain.metadata.annotations),
    ...overwriting(namespace),
    [workNameAnnotation]: work.name,
    [workNamespaceAnnotation]: work.namespace,
  };
  const manifest = { ...plain, metadata: { name: plain.metadata.name, ...managedKeys(labels, annotations) } };
  const { spec: _, ...bare } = manifest as typeof manifest & { readonly spec?: unknown };
  return bare;
}
