import {
  clusterApi,
  keyOf,
  managedAnnotationsAnnotation,
  managedLabel,
  managedLabelsAnnotation,
  memberOfNamespace,
  refOf,
  removalAnnotation,
  workNameAnnotation,
  workNamespaceAnnotation,
} from '../../api/index.ts';
import { interpreterOf } from '../interpret/index.ts';
import type { Interpreter } from '../interpret/index.ts';
import type { Cluster, Condition, Gates, KubeObject, MemberObject, Trouble, View, Work } from '../../api/index.ts';
import { prune } from '../render/prune.ts';
import { removalsSuspension } from './removals.ts';
import type { RemovalsSuspension } from './removals.ts';
import { deletionOf } from './wanted.ts';
import type { Deletion } from './wanted.ts';

/** One manifest of a Work. */
export interface ManifestFacts {
  readonly manifest: KubeObject;
  /** The member's object under the manifest's name. */
  readonly present: MemberObject;
  readonly interpreter: Interpreter;
}

/** All that the dispatch of one Work depends on; its first manifest is spelt out. */
export interface DispatchFacts extends ManifestFacts {
  readonly work: Work;
  readonly member: string;
  readonly cluster: Cluster | undefined;
  /** The other manifests. Works of bindings have none; a Work that a user made may. */
  readonly others: readonly ManifestFacts[];
  /** The meaning of the deletion of a Work that is being deleted. */
  readonly deletion: Deletion | undefined;
  /** The suspension of all removals, for a Work that is being deleted. */
  readonly removals?: RemovalsSuspension | undefined;
  /** The trouble that the pods of the object report, where they were read. */
  readonly pods?: Trouble | undefined;
  /** Another process acts in this member: its agent. */
  readonly isLeftToAgent?: boolean;
  readonly gates: Gates;
  readonly now: string;
}

/** Gathers the facts; undefined when the Work is gone, is in no execution namespace, or carries no manifest. */
export function gatherDispatch(view: View, key: string): DispatchFacts | undefined {
  const work = view.get(key) as Work | undefined;
  const member = memberOfNamespace(work?.metadata.namespace);
  if (!work || member === undefined) return undefined;
  const [first, ...others] = work.spec.workload.manifests.map((manifest) =>
    manifestFacts(view, { work, member, manifest }),
  );
  if (!first) return undefined;
  const cluster = view.get(keyOf({ apiVersion: clusterApi, kind: 'Cluster', name: member })) as Cluster | undefined;
  const facts = {
    ...first,
    others,
    work,
    member,
    cluster,
    isLeftToAgent: isLeftToAgent(view, cluster),
    pods: view.podTrouble?.(key),
    gates: view.gates,
    now: view.now,
  };
  if (!work.metadata.deletionTimestamp) return { ...facts, deletion: undefined };
  if (view.agents === 'here') return { ...facts, deletion: toldDeletion(work) };
  return { ...facts, deletion: deletionOf(view, work, cluster), removals: removalsSuspension(view) };
}

function manifestFacts(
  view: View,
  { work, member, manifest }: { readonly work: Work; readonly member: string; readonly manifest: KubeObject },
): ManifestFacts {
  const present = view.member(member, keyOf(refOf(manifest)));
  return { manifest: identified(manifest, work), present, interpreter: interpreterOf(view, manifest) };
}

const made = new WeakMap<KubeObject, KubeObject>();

/** The manifest with the labels and annotations of its Work. The binder writes them; a Work that a user made lacks them. */
function identified(manifest: KubeObject, { metadata: { name, namespace = '' } }: Work): KubeObject {
  const { labels, annotations } = manifest.metadata;
  if (labels?.[managedLabel] === 'true' && annotations?.[workNameAnnotation] === name) return manifest;
  const known = made.get(manifest);
  if (known) return known;
  const marked = { ...labels, [managedLabel]: 'true' };
  const noted = { ...annotations, [workNameAnnotation]: name, [workNamespaceAnnotation]: namespace };
  const lists = {
    [managedLabelsAnnotation]: Object.keys(marked).toSorted().join(','),
    [managedAnnotationsAnnotation]: Object.keys(noted).toSorted().join(','),
  };
  const pruned = prune(manifest);
  const metadata = { ...pruned.metadata, labels: marked, annotations: { ...noted, ...lists } };
  const object = { ...pruned, metadata };
  made.set(manifest, object);
  return object;
}

function isLeftToAgent({ agents }: View, cluster: Cluster | undefined): boolean {
  return agents === 'apart' && cluster?.spec.syncMode === 'Pull';
}

/** An agent sees no binding and no template: the hub says on the Work whether the object is to go. */
function toldDeletion({ metadata }: Work): Deletion {
  return metadata.annotations?.[removalAnnotation] === 'wanted' ? 'wish' : 'wait';
}

/** Tells whether the member can be written to. A member that was never probed is tried. */
export function isReady(cluster: Cluster | undefined): boolean {
  if (!cluster) return false;
  const ready = readyOf(cluster);
  return ready === undefined || ready.status === 'True';
}

/** The Ready condition of a member. */
export function readyOf(cluster: Cluster | undefined): Condition | undefined {
  return cluster?.status?.conditions?.find((condition) => condition.type === 'Ready');
}
