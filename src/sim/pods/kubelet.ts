import { lookup } from '../../base/index.ts';
import type { Behaviour } from '../cluster/behaviour.ts';
import { storeKey } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { isGoing, isOver } from '../cluster/objects.ts';
import type { Node, Pod } from '../cluster/objects.ts';
import { statusOf } from './status.ts';
import type { Stage } from './status.ts';
import type { Usage } from './usage.ts';

/** On a pod, or in a pod template: what becomes of its containers. */
export const outcomeAnnotation = 'sim.sluice.dev/outcome';

const outcomes: Readonly<Record<string, Stage>> = lookup({
  NeverReady: 'unready',
  ImagePullBackOff: 'pull',
  CrashLoopBackOff: 'crash',
  Failed: 'failed',
  Succeeded: 'succeeded',
});

/** Starts, runs and stops the containers of pods that have a node, as far as anybody outside can tell. */
export function kubeletOf(usage: Usage): Behaviour<Pod> {
  return {
    name: 'kubelet',
    kind: kinds.pods,
    wakes: {
      '/nodes': (cluster, { before, after }) => {
        if (after || !before) return [];
        const left = cluster.list(kinds.pods).filter(({ spec }) => spec.nodeName === before.metadata.name);
        return left.map((pod) => storeKey(kinds.pods, pod));
      },
    },
    async look(cluster, pod) {
      if (!pod.spec.nodeName) return undefined;
      const { uid = '' } = pod.metadata;
      if (isGoing(pod)) return stop(cluster, pod);
      if (isOver(pod)) {
        forget(cluster, uid);
        return undefined;
      }
      const node = cluster.get(kinds.nodes, '', pod.spec.nodeName);
      // Nobody will ever stop the containers of a node that is gone.
      if (!node) return cluster.delete(pod, 0).then(() => undefined);
      const { stage, left } = progress(cluster, pod);
      await cluster.writeStatus(
        pod,
        statusOf({ pod, stage, now: cluster.stamp(), ...placeOf(usage, pod, node) }),
        'kubelet',
      );
      return left > 0 ? left : undefined;
    },
  };
}

function outcomeOf({ metadata, spec }: Pod): Stage | undefined {
  const isUnknown = spec.containers.some(({ image }) => image?.startsWith('fake/'));
  return outcomes[metadata.annotations?.[outcomeAnnotation] ?? ''] ?? (isUnknown ? 'pull' : undefined);
}

/** Where the pod is on its way, and how long until the next stage. */
function progress(cluster: Cluster, pod: Pod): { readonly stage: Stage; readonly left: number } {
  const { uid = '' } = pod.metadata;
  const isUp = pod.status?.phase === 'Running';
  const starting = isUp ? 0 : cluster.waits.left(`start ${uid}`, cluster.delayMilliseconds);
  if (starting > 0) return { stage: 'creating', left: starting };
  const wanted = outcomeOf(pod);
  if (wanted) return { stage: wanted, left: 0 };
  const { restartPolicy = 'Always' } = pod.spec;
  if (restartPolicy === 'Always') return { stage: 'running', left: 0 };
  const working = cluster.waits.left(`work ${uid}`, cluster.delayMilliseconds);
  return working > 0 ? { stage: 'running', left: working } : { stage: 'succeeded', left: 0 };
}

function placeOf(usage: Usage, pod: Pod, node: Node): { readonly hostIP: string; readonly podIP: string } {
  const { addresses = [] } = node.status ?? {};
  const hostIP = addresses.find(({ type }) => type === 'InternalIP')?.address ?? '';
  if (pod.spec.hostNetwork) return { hostIP, podIP: hostIP };
  const key = storeKey(kinds.pods, pod);
  return { hostIP, podIP: pod.status?.podIP ?? usage.takeAddress(key, node.spec?.podCIDR ?? '10.244.0.0/24') };
}

/** Containers stop when asked to: after the usual delay, and never later than the grace period. */
async function stop(cluster: Cluster, pod: Pod): Promise<number | undefined> {
  const { uid = '', deletionGracePeriodSeconds = 0 } = pod.metadata;
  const time = Math.min(cluster.delayMilliseconds, deletionGracePeriodSeconds * 1000);
  const left = cluster.waits.left(`stop ${uid}`, time);
  if (left > 0) return left;
  forget(cluster, uid);
  await cluster.delete(pod, 0);
  return undefined;
}

function forget(cluster: Cluster, uid: string): void {
  for (const what of ['start', 'work', 'stop']) cluster.waits.end(`${what} ${uid}`);
}
