import { clusterApi, keyOf, memberOfNamespace, refOf } from '../../api/index.ts';
import { interpreterOf } from '../interpret/index.ts';
import type { Interpreter } from '../interpret/index.ts';
import type { Cluster, Condition, Gates, KubeObject, MemberObject, Trouble, View, Work } from '../../api/index.ts';
import { removalsSuspension } from './removals.ts';
import type { RemovalsSuspension } from './removals.ts';
import { deletionOf } from './wanted.ts';
import type { Deletion } from './wanted.ts';

/** All that the dispatch of one Work depends on. */
export interface DispatchFacts {
  readonly work: Work;
  readonly member: string;
  readonly cluster: Cluster | undefined;
  readonly manifest: KubeObject;
  /** The member's object under the manifest's name. */
  readonly present: MemberObject;
  /** The meaning of the deletion of a Work that is being deleted. */
  readonly deletion: Deletion | undefined;
  /** The suspension of all removals, for a Work that is being deleted. */
  readonly removals?: RemovalsSuspension | undefined;
  /** The trouble that the pods of the object report, where they were read. */
  readonly pods?: Trouble | undefined;
  readonly interpreter: Interpreter;
  readonly gates: Gates;
  readonly now: string;
}

/** Gathers the facts; undefined when the Work is gone, is in no execution namespace, or carries no manifest. */
export function gatherDispatch(view: View, key: string): DispatchFacts | undefined {
  const work = view.get(key) as Work | undefined;
  const member = memberOfNamespace(work?.metadata.namespace);
  const manifest = work?.spec.workload.manifests[0];
  if (!work || member === undefined || !manifest) return undefined;
  const cluster = view.get(keyOf({ apiVersion: clusterApi, kind: 'Cluster', name: member })) as Cluster | undefined;
  const present = view.member(member, keyOf(refOf(manifest)));
  const interpreter = interpreterOf(view, manifest);
  const facts = {
    work,
    member,
    cluster,
    manifest,
    present,
    interpreter,
    pods: view.podTrouble?.(key),
    gates: view.gates,
    now: view.now,
  };
  if (!work.metadata.deletionTimestamp) return { ...facts, deletion: undefined };
  return { ...facts, deletion: deletionOf(view, work, cluster), removals: removalsSuspension(view) };
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
