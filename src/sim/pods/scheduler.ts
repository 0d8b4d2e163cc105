import type { Behaviour } from '../cluster/behaviour.ts';
import { storeKey } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { conditionOf, isGoing } from '../cluster/objects.ts';
import type { Node, Pod } from '../cluster/objects.ts';
import { misfit, nowhereText } from './fit.ts';
import type { Usage } from './usage.ts';

/** Puts every pod on the node that has the most room for it, or says why there is none. */
export function schedulerOf(usage: Usage): Behaviour<Pod> {
  const waiting = new Set<string>();
  const wakeWaiting = (): Iterable<string> => waiting;
  return {
    name: 'scheduler',
    kind: kinds.pods,
    wakes: {
      '/nodes': wakeWaiting,
      '/pods': (_cluster, { key, after }) => {
        if (after) return [];
        waiting.delete(key);
        return waiting;
      },
    },
    async look(cluster, pod) {
      const key = storeKey(kinds.pods, pod);
      waiting.delete(key);
      if (pod.spec.nodeName || isGoing(pod)) return undefined;
      const nodes = cluster.list(kinds.nodes);
      const fitting = nodes.filter((node) => !misfit(pod, node, usage.on(node.metadata.name)));
      const [best] = fitting.toSorted((a, b) => fill(a, usage) - fill(b, usage));
      if (best) return place(cluster, { pod, key, node: best.metadata.name, usage });
      waiting.add(key);
      const reasons = nodes.map((node) => misfit(pod, node, usage.on(node.metadata.name)) ?? '');
      return tellNowhere(cluster, pod, nowhereText(reasons));
    },
  };
}

/** How full a node is, by pods; names break ties so that the same story always ends the same way. */
function fill({ metadata }: Node, usage: Usage): number {
  return usage.on(metadata.name)['pods'] ?? 0;
}

interface Placement {
  readonly pod: Pod;
  readonly key: string;
  readonly node: string;
  readonly usage: Usage;
}

async function place(cluster: Cluster, { pod, key, node, usage }: Placement): Promise<undefined> {
  // Held before it is written: the next pod must not be promised the same room.
  usage.hold(key, pod, node);
  try {
    await cluster.bind(pod, node);
  } catch (error) {
    if (!cluster.at(kinds.pods, key)?.spec.nodeName) usage.release(key);
    throw error;
  }
  return undefined;
}

async function tellNowhere(cluster: Cluster, pod: Pod, message: string): Promise<undefined> {
  const before = conditionOf(pod.status?.conditions, 'PodScheduled');
  if (before?.status === 'False' && before.message === message) return undefined;
  const since = before?.status === 'False' ? before.lastTransitionTime : undefined;
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: since ?? cluster.stamp(),
    reason: 'Unschedulable',
    message,
  };
  const others = (pod.status?.conditions ?? []).filter((one) => one.type !== 'PodScheduled');
  await cluster.writeStatus(pod, { ...pod.status, conditions: [...others, condition] });
  return undefined;
}
