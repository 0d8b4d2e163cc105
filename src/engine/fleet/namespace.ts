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
import { prune, userKeys } from '../render/index.ts';
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
  /** The suspensions by ClusterRolloutPolicies. */
  readonly suspensions: readonly ActiveSuspension[];
  readonly now: string;
}

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
  return { namespace, placed, clusters, works, suspensions: rolloutSuspensions(view, namespace), now: view.now };
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
  for (const cluster of clusters) {
    const present = works.get(cluster.metadata.name);
    // It takes the namespace that was along; what is there now comes after it.
    if (present?.metadata.deletionTimestamp) continue;
    const wanted = workFor(facts, cluster.metadata.name, present);
    if (!present) actions.push({ do: 'spread', write: { verb: 'create', object: wanted } });
    else if (!equal(wanted.spec, present.spec))
      actions.push({ do: 'spread', write: { verb: 'update', object: changedAt(facts.now, wanted) } });
  }
  return actions.length ? act('NamespaceSpread', ...actions) : rest('UpToDate');
}

/** Is this a namespace that every member gets, unless a policy places it? */
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

function workFor({ namespace, suspensions }: NamespaceFacts, member: string, present: Work | undefined): Work {
  const { apiVersion: _, kind: __, ...place } = workRef(namespace, member);
  const id = uuidOf(`${namespace.metadata.uid}/${member}`);
  const plain = prune(namespace);
  const manifest = {
    ...plain,
    metadata: {
      name: plain.metadata.name,
      labels: { ...userKeys(plain.metadata.labels), [managedLabel]: 'true', [workIdLabel]: id },
      annotations: {
        ...userKeys(plain.metadata.annotations),
        ...overwriting(namespace),
        [workNameAnnotation]: place.name,
        [workNamespaceAnnotation]: place.namespace,
      },
    },
  };
  const { spec: ___, ...bare } = manifest as typeof manifest & { readonly spec?: unknown };
  return {
    apiVersion: workApi,
    kind: 'Work',
    metadata: {
      ...present?.metadata,
      ...place,
      labels: { ...present?.metadata.labels, [workIdLabel]: id },
      finalizers: present?.metadata.finalizers ?? [workFinalizer],
      ownerReferences: [ownerOf(namespace)],
    },
    spec: { workload: { manifests: [bare] }, ...(suspends(suspensions, member) && { suspendDispatching: true }) },
    ...(present?.status && { status: present.status }),
  };
}
