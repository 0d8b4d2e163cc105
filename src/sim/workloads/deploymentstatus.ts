import { conditionOf, counted } from '../cluster/objects.ts';
import type { Deployment, ReplicaSet, ReplicaSetStatus, StatusCondition } from '../cluster/objects.ts';
import type { Sets } from './deployments.ts';

type Count = Exclude<keyof ReplicaSetStatus, 'observedGeneration'>;

/** The status of a Deployment, computed from its ReplicaSets. */
export function statusOf(deployment: Deployment, sets: Sets, now: string): object {
  const all = [...sets.old, ...(sets.current ? [sets.current] : [])];
  const total = (count: Count): number => all.reduce((sum, { status }) => sum + (status?.[count] ?? 0), 0);
  const [available, wanted] = [
    total('availableReplicas'),
    all.reduce((sum, { spec }) => sum + (spec.replicas ?? 0), 0),
  ];
  const counts = {
    replicas: total('replicas'),
    updatedReplicas: sets.current?.status?.replicas ?? 0,
    readyReplicas: total('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wanted - available),
  };
  return {
    ...(deployment.metadata.generation && { observedGeneration: deployment.metadata.generation }),
    ...counted(counts),
    ...(deployment.status?.collisionCount && { collisionCount: deployment.status.collisionCount }),
    conditions: conditionsOf(deployment, sets, { ...counts, now }),
  };
}

interface DeploymentCounts {
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly availableReplicas: number;
  readonly now: string;
}

function conditionsOf(deployment: Deployment, sets: Sets, counts: DeploymentCounts): readonly StatusCondition[] {
  const enough = counts.availableReplicas >= sets.replicas - sets.fences.maxUnavailable;
  const available: StatusCondition = enough
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
  const wanted = [available, progressing(deployment, sets, counts)];
  const before = { conditions: deployment.status?.conditions, moved: moved(deployment, counts) };
  return wanted.map((one) => timed(one, before, counts.now));
}

function progressing(deployment: Deployment, sets: Sets, counts: DeploymentCounts): StatusCondition {
  const type = 'Progressing';
  if (deployment.spec.paused)
    return { type, status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' };
  const { current } = sets;
  const name = current ? `ReplicaSet "${current.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  if (isComplete(sets, counts)) {
    const message = `${name} has successfully progressed.`;
    return { type, status: 'True', reason: 'NewReplicaSetAvailable', message };
  }
  if (isLate(deployment, sets, counts)) {
    const message = `${name} has timed out progressing.`;
    return { type, status: 'False', reason: 'ProgressDeadlineExceeded', message };
  }
  if (!current?.status?.replicas) {
    const message = current ? `Created new replica set "${current.metadata.name}"` : `${name} is progressing.`;
    return { type, status: 'True', reason: 'NewReplicaSetCreated', message };
  }
  return { type, status: 'True', reason: 'ReplicaSetUpdated', message: `${name} is progressing.` };
}

function isComplete({ replicas, current }: Sets, counts: DeploymentCounts): boolean {
  return (
    current !== undefined &&
    counts.updatedReplicas === replicas &&
    counts.replicas === replicas &&
    counts.availableReplicas === replicas
  );
}

function isLate(deployment: Deployment, sets: Sets, { now, ...counts }: DeploymentCounts): boolean {
  const before = conditionOf(deployment.status?.conditions, 'Progressing');
  if (before?.reason === 'ProgressDeadlineExceeded') return !moved(deployment, counts) && !isNewer(deployment);
  return progressLeft(deployment, sets, Date.parse(now)) === 0 && !moved(deployment, counts);
}

/** Tells whether the Deployment was changed since its status was written. */
function isNewer({ metadata, status }: Deployment): boolean {
  return status?.observedGeneration !== metadata.generation;
}

function moved({ status }: Deployment, counts: Omit<DeploymentCounts, 'now'>): boolean {
  return (
    counts.updatedReplicas > (status?.updatedReplicas ?? 0) ||
    counts.availableReplicas > (status?.availableReplicas ?? 0)
  );
}

/** Milliseconds until a rollout that does not move is called late; undefined when none is under way. */
export function progressLeft(deployment: Deployment, sets: Sets, now: number): number | undefined {
  const { progressDeadlineSeconds = 600, paused } = deployment.spec;
  const progress = conditionOf(deployment.status?.conditions, 'Progressing');
  if (paused || !progress || settled.has(progress.reason ?? '')) return undefined;
  if (!isUnderWay(sets.current, sets.replicas)) return undefined;
  return Math.max(0, Date.parse(progress.lastUpdateTime ?? '') + progressDeadlineSeconds * 1000 - now);
}

const settled: ReadonlySet<string> = new Set(['NewReplicaSetAvailable', 'ProgressDeadlineExceeded']);

const isUnderWay = (current: ReplicaSet | undefined, replicas: number): boolean =>
  (current?.status?.availableReplicas ?? 0) < replicas;

interface Earlier {
  readonly conditions: readonly StatusCondition[] | undefined;
  /** Tells whether the rollout has progressed since. Then its deadline starts over. */
  readonly moved: boolean;
}

/** Keeps the times of a condition that stays what it was. */
function timed(one: StatusCondition, { conditions, moved }: Earlier, now: string): StatusCondition {
  const before = conditionOf(conditions, one.type);
  if (before?.status !== one.status) return { ...one, lastUpdateTime: now, lastTransitionTime: now };
  const { lastUpdateTime = now, lastTransitionTime = now } = before;
  const same = before.reason === one.reason && before.message === one.message;
  const renewed = moved && one.type === 'Progressing';
  return { ...one, lastUpdateTime: same && !renewed ? lastUpdateTime : now, lastTransitionTime };
}
