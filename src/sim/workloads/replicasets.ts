import type { Behaviour } from '../cluster/behaviour.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { isGoing } from '../cluster/objects.ts';
import type { Pod, ReplicaSet } from '../cluster/objects.ts';
import { selectsLabels } from '../../api/index.ts';
import { activePods, adopt, leastMissed, podOf, readiness } from './podset.ts';

/** More are made in the next look: a burst of writes would keep everybody else waiting. */
const burst = 100;

/** Keeps as many pods as a ReplicaSet wants. */
export const replicaSets: Behaviour<ReplicaSet> = {
  name: 'replicasets',
  kind: kinds.replicaSets,
  async look(cluster, set) {
    if (!isGoing(set)) {
      await adopt(cluster, set, kinds.pods);
      await scale(cluster, set, activePods(cluster, set));
    }
    return report(cluster, set);
  },
};

async function scale(cluster: Cluster, set: ReplicaSet, pods: readonly Pod[]): Promise<void> {
  const missing = (set.spec.replicas ?? 1) - pods.length;
  if (missing > 0) {
    const count = Math.min(missing, burst);
    await Promise.all(Array.from({ length: count }, () => cluster.create(podOf(set, set.spec.template))));
  } else {
    const surplus = leastMissed(pods).slice(0, Math.min(-missing, burst));
    await Promise.all(surplus.map((pod) => cluster.delete(pod)));
  }
}

async function report(cluster: Cluster, set: ReplicaSet): Promise<number | undefined> {
  const pods = activePods(cluster, set);
  const { ready, available, again } = readiness(cluster, pods, set.spec.minReadySeconds);
  const labels = { matchLabels: set.spec.template.metadata?.labels ?? {} };
  const labeled = pods.filter((pod) => selectsLabels(labels, pod.metadata.labels)).length;
  await cluster.writeStatus(set, {
    replicas: pods.length,
    ...(labeled > 0 && { fullyLabeledReplicas: labeled }),
    ...(ready > 0 && { readyReplicas: ready }),
    ...(available > 0 && { availableReplicas: available }),
    ...(set.metadata.generation && { observedGeneration: set.metadata.generation }),
  });
  return again;
}
