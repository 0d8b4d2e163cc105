import { hasReason } from '../../api/index.ts';
import type { Behaviour } from '../cluster/behaviour.ts';
import { controllerReference } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { counted, isGoing, isOver, isReady } from '../cluster/objects.ts';
import type { ControllerRevision, Pod, StatefulSet } from '../cluster/objects.ts';
import { currentRevision, pruneHistory, revisionLabel, templateOf } from './history.ts';
import { podOf, readiness } from './podset.ts';

/** Keeps pods with names and claims of their own, one after the other. */
export const statefulSets: Behaviour<StatefulSet> = {
  name: 'statefulsets',
  kind: kinds.statefulSets,
  async look(cluster, set) {
    const update = await currentRevision(cluster, set);
    const current = revisionNamed(cluster, set, set.status?.currentRevision) ?? update;
    const state = { set, update, current };
    if (!isGoing(set)) await advance(cluster, state);
    return report(cluster, state);
  },
};

interface State {
  readonly set: StatefulSet;
  /** The revision of the present template. */
  readonly update: ControllerRevision;
  /** The revision of the pods before the update that is under way. */
  readonly current: ControllerRevision;
}

function revisionNamed(cluster: Cluster, set: StatefulSet, name = ''): ControllerRevision | undefined {
  const revision = cluster.get(kinds.revisions, set.metadata.namespace, name);
  return revision?.metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid) ? revision : undefined;
}

const sizeOf = ({ spec }: StatefulSet): number => spec.replicas ?? 1;
const startOf = ({ spec }: StatefulSet): number => spec.ordinals?.start ?? 0;
const isParallel = ({ spec }: StatefulSet): boolean => spec.podManagementPolicy === 'Parallel';
const partitionOf = ({ spec }: StatefulSet): number => spec.updateStrategy?.rollingUpdate?.partition ?? 0;

/** The number at the end of the pod's name. */
export const ordinalOf = ({ metadata }: Pod): number => Number(/-(\d+)$/.exec(metadata.name)?.[1] ?? -1);

/** One step: fill up from the lowest ordinal, then shrink from the highest, then update from the highest. */
async function advance(cluster: Cluster, state: State): Promise<void> {
  const { set } = state;
  for (let i = startOf(set); i < startOf(set) + sizeOf(set); i++) {
    const pod = cluster.get(kinds.pods, set.metadata.namespace, `${set.metadata.name}-${i}`);
    if (await stands(cluster, state, { pod, ordinal: i })) continue;
    if (!isParallel(set)) return;
  }
  const pods = podsFromTop(cluster, set);
  if (!(await shrink(cluster, set, pods))) return;
  if (set.spec.updateStrategy?.type !== 'OnDelete') await renew(cluster, state, pods);
}

function podsFromTop(cluster: Cluster, set: StatefulSet): readonly Pod[] {
  return cluster.owned(set, kinds.pods).toSorted((a, b) => ordinalOf(b) - ordinalOf(a));
}

interface Seat {
  readonly pod: Pod | undefined;
  readonly ordinal: number;
}

/**
 * Tells whether the pod of an ordinal exists and is ready. One that is missing is made; one that is over makes room
 * first.
 */
async function stands(cluster: Cluster, state: State, { pod, ordinal }: Seat): Promise<boolean> {
  if (pod && isOver(pod) && !isGoing(pod)) await cluster.delete(pod, 0);
  if (pod) return isReady(pod) && !isGoing(pod);
  await ensureClaims(cluster, state.set, ordinal);
  const old = ordinal < partitionOf(state.set) + startOf(state.set);
  await cluster.create(statefulPod(state.set, old ? state.current : state.update, ordinal));
  return false;
}

function statefulPod(set: StatefulSet, revision: ControllerRevision, ordinal: number): Pod {
  const template = templateOf(revision);
  const name = `${set.metadata.name}-${ordinal}`;
  const claims = (set.spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name);
  const volumes = [
    ...claims.map((claim) => ({ name: claim, persistentVolumeClaim: { claimName: `${claim}-${name}` } })),
    ...(template.spec.volumes ?? []).filter((one) => !claims.includes((one as { name: string }).name)),
  ];
  const labels = {
    [revisionLabel]: revision.metadata.name,
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(ordinal),
  };
  return podOf(set, template, { name, labels, ...(volumes.length > 0 && { spec: { volumes } }) });
}

async function ensureClaims(cluster: Cluster, set: StatefulSet, ordinal: number): Promise<void> {
  const { name, namespace = '' } = set.metadata;
  const goesAlong = set.spec.persistentVolumeClaimRetentionPolicy?.whenDeleted === 'Delete';
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const claim = `${template.metadata.name}-${name}-${ordinal}`;
    if (cluster.get(kinds.claims, namespace, claim)) continue;
    const metadata = {
      ...template.metadata,
      name: claim,
      namespace,
      labels: { ...set.spec.selector.matchLabels },
      ...(goesAlong && { ownerReferences: [controllerReference(set)] }),
    };
    try {
      await cluster.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: template.spec });
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error;
    }
  }
}

/** Removes pods beyond the wanted number, the highest first; true when there are none left. */
async function shrink(cluster: Cluster, set: StatefulSet, pods: readonly Pod[]): Promise<boolean> {
  const end = startOf(set) + sizeOf(set);
  const surplus = pods.filter((pod) => ordinalOf(pod) >= end || ordinalOf(pod) < startOf(set));
  const chosen = isParallel(set) ? surplus : surplus.slice(0, 1);
  for (const pod of chosen) if (!isGoing(pod)) await cluster.delete(pod);
  return surplus.length === 0;
}

/** Lets the highest pod of an older revision go; its successor has the new one. */
async function renew(cluster: Cluster, { set, update }: State, pods: readonly Pod[]): Promise<void> {
  if (pods.some((pod) => isGoing(pod) || !isReady(pod))) return;
  const least = startOf(set) + partitionOf(set);
  const outdated = pods.find((pod) => ordinalOf(pod) >= least && !isOf(pod, update));
  if (outdated) await cluster.delete(outdated);
}

const isOf = ({ metadata }: Pod, revision: ControllerRevision): boolean =>
  metadata.labels?.[revisionLabel] === revision.metadata.name;

async function report(cluster: Cluster, { set, update, current }: State): Promise<number | undefined> {
  const fresh = cluster.get(kinds.statefulSets, set.metadata.namespace, set.metadata.name);
  if (!fresh) return undefined;
  const pods = cluster.owned(set, kinds.pods).filter((pod) => !isOver(pod));
  const { ready, available, again } = readiness(
    cluster,
    pods.filter((pod) => !isGoing(pod)),
    set.spec.minReadySeconds,
  );
  const updated = pods.filter((pod) => isOf(pod, update)).length;
  const done = updated === pods.length && updated === sizeOf(set) && ready === sizeOf(set);
  const base = done ? update : current;
  const counts = counted({
    readyReplicas: ready,
    currentReplicas: pods.filter((pod) => isOf(pod, base)).length,
    updatedReplicas: updated,
  });
  await cluster.writeStatus(fresh, {
    observedGeneration: fresh.metadata.generation,
    replicas: pods.length,
    ...counts,
    availableReplicas: available,
    currentRevision: base.metadata.name,
    updateRevision: update.metadata.name,
    collisionCount: 0,
  });
  await pruneHistory(cluster, set, new Set([update.metadata.name, base.metadata.name]));
  return again;
}
