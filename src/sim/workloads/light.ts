import type { KubeObject } from '../../api/index.ts';
import type { AnyBehaviour, Behaviour } from '../cluster/behaviour.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import type { Kind } from '../cluster/kinds.ts';
import { isGoing } from '../cluster/objects.ts';
import type { DaemonSet, Deployment, Job, ReplicaSet, StatefulSet } from '../cluster/objects.ts';
import { outcomeAnnotation } from '../pods/kubelet.ts';
import { isFinished } from './jobs.ts';

type Ready<T> = (object: T, cluster: Cluster) => object | undefined;

/** Says after the usual delay that everything is ready: one write a change, and no pods. */
function light<T extends KubeObject>(kind: Kind<T>, ready: Ready<T>): Behaviour<T> {
  return {
    name: `light ${kind.plural}`.replace(' ', '-'),
    kind,
    async look(cluster, object) {
      const status = isGoing(object) ? undefined : ready(object, cluster);
      if (!status || isObserved(object)) return undefined;
      const wait = `light ${object.metadata.uid ?? ''} ${object.metadata.generation ?? 0}`;
      const left = cluster.waits.left(wait, cluster.delayMilliseconds);
      if (left > 0) return left;
      cluster.waits.end(wait);
      await cluster.writeStatus(object, status);
      return undefined;
    },
  };
}

/** Tells whether the status was written for this very generation. */
function isObserved(object: KubeObject): boolean {
  const { status } = object as { readonly status?: { readonly observedGeneration?: number } };
  return status?.observedGeneration !== undefined && status.observedGeneration === object.metadata.generation;
}

const generationOf = ({ metadata }: KubeObject): object => ({ observedGeneration: metadata.generation });

/** Outcomes of containers with which no replica becomes ready. */
const unready: ReadonlySet<string | undefined> = new Set(['NeverReady', 'CrashLoopBackOff', 'ImagePullBackOff']);

/** No replica becomes ready; those that are stay so. */
function asReadyAsBefore({ status }: Deployment, replicas: number): object {
  const readyReplicas = Math.min(status?.readyReplicas ?? 0, replicas);
  return { replicas, updatedReplicas: replicas, readyReplicas, availableReplicas: readyReplicas };
}

const deploymentStatus: Ready<Deployment> = (deployment, cluster) => {
  const replicas = deployment.spec.replicas ?? 1;
  if (unready.has(deployment.spec.template?.metadata?.annotations?.[outcomeAnnotation]))
    return { ...generationOf(deployment), ...asReadyAsBefore(deployment, replicas) };
  const now = cluster.stamp();
  const times = { lastUpdateTime: now, lastTransitionTime: now };
  const message = `Deployment "${deployment.metadata.name}" has successfully progressed.`;
  return {
    ...generationOf(deployment),
    ...(replicas > 0 && {
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
    }),
    conditions: [
      {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
        ...times,
      },
      { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message, ...times },
    ],
  };
};

const replicaSetStatus: Ready<ReplicaSet> = (set) => {
  const replicas = set.spec.replicas ?? 1;
  const counts = { fullyLabeledReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  return { ...generationOf(set), replicas, ...(replicas > 0 && counts) };
};

const statefulSetStatus: Ready<StatefulSet> = (set) => {
  const replicas = set.spec.replicas ?? 1;
  const counts = { readyReplicas: replicas, currentReplicas: replicas, updatedReplicas: replicas };
  const revision = `${set.metadata.name}-${set.metadata.generation ?? 1}`;
  const revisions = { currentRevision: revision, updateRevision: revision, collisionCount: 0 };
  return { ...generationOf(set), replicas, availableReplicas: replicas, ...(replicas > 0 && counts), ...revisions };
};

const daemonSetStatus: Ready<DaemonSet> = (set, cluster) => {
  const nodes = cluster.list(kinds.nodes).length;
  return {
    ...generationOf(set),
    currentNumberScheduled: nodes,
    desiredNumberScheduled: nodes,
    numberMisscheduled: 0,
    numberReady: nodes,
    updatedNumberScheduled: nodes,
    numberAvailable: nodes,
  };
};

const jobStatus: Ready<Job> = (job, cluster) => {
  if (isFinished(job) || job.spec.suspend) return undefined;
  const now = cluster.stamp();
  const detail = { reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };
  const times = { lastProbeTime: now, lastTransitionTime: now };
  return {
    startTime: now,
    completionTime: now,
    succeeded: job.spec.completions ?? 1,
    conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True', ...detail, ...times })),
  };
};

/** In place of the workload controllers, where thousands of workloads must cost little. */
export const lightWorkloads: readonly AnyBehaviour[] = [
  light(kinds.deployments, deploymentStatus),
  light(kinds.replicaSets, replicaSetStatus),
  light(kinds.statefulSets, statefulSetStatus),
  light(kinds.daemonSets, daemonSetStatus),
  light(kinds.jobs, jobStatus),
];
