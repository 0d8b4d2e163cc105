import type { StoredChange } from '../../apiserver/index.ts';
import { Multimap } from '../../base/index.ts';
import type { Behaviour, Observer } from '../cluster/behaviour.ts';
import { storeKey } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { conditionOf, isGoing, isOver } from '../cluster/objects.ts';
import type { Node, Pod } from '../cluster/objects.ts';
import { misfit, nowhereText } from './fit.ts';
import { requestsOf } from './usage.ts';
import type { Usage } from './usage.ts';

/**
 * Pods that fit on no node, grouped by what they ask of a node: where one of a group does not fit, the others do not either.
 * So freed capacity wakes one pod of each group, and a pod that finds a node wakes the next of its group. Waking all of them
 * costs each change in a full member as much as the member has pods.
 */
export class WaitingPods implements Observer {
  readonly #groups = new Multimap<string>();

  clear(): void {
    this.#groups.clear();
  }

  learn(resource: string, { key, before, after }: StoredChange): void {
    if (resource !== '/pods' || !before || (before as Pod).spec.nodeName) return;
    const isSame = after && (before as Pod).spec === (after as Pod).spec;
    if (!isSame) this.#groups.delete(groupOf(before as Pod), key);
  }

  add(key: string, pod: Pod): void {
    this.#groups.add(groupOf(pod), key);
  }

  /** The pods that may fit after a pod has changed. */
  *wokenBy({ before, after }: StoredChange): Generator<string> {
    const [old, now] = [before as Pod | undefined, after as Pod | undefined];
    if (takesNode(old) && !takesNode(now)) yield* this.#firsts();
    // It found a node, or is gone: the next of its group may find one too.
    else if (old && !old.spec.nodeName && (!now || now.spec.nodeName)) yield* this.#first(groupOf(old));
  }

  *all(): Generator<string> {
    for (const group of this.#groups.keys()) yield* this.#groups.of(group);
  }

  *#firsts(): Generator<string> {
    for (const group of this.#groups.keys()) yield* this.#first(group);
  }

  #first(group: string): Iterable<string> {
    return this.#groups.of(group).values().take(1);
  }
}

const takesNode = (pod: Pod | undefined): boolean => pod?.spec.nodeName !== undefined && !isOver(pod);

/** Everything in a pod that `misfit` reads. */
function groupOf(pod: Pod): string {
  const { tolerations, nodeSelector, affinity } = pod.spec;
  return JSON.stringify([requestsOf(pod), tolerations, nodeSelector, affinity?.nodeAffinity]);
}

/** Puts every pod on the node that has the most capacity left for it, or states why none fits. */
export function schedulerOf(usage: Usage): Behaviour<Pod> {
  const waiting = new WaitingPods();
  return {
    name: 'scheduler',
    kind: kinds.pods,
    observers: [waiting],
    wakes: { '/nodes': () => waiting.all(), '/pods': (_cluster, change) => waiting.wokenBy(change) },
    async look(cluster, pod) {
      const key = storeKey(kinds.pods, pod);
      if (pod.spec.nodeName || isGoing(pod)) return undefined;
      const nodes = cluster.list(kinds.nodes);
      const fitting = nodes.filter((node) => !misfit(pod, node, usage.on(node.metadata.name)));
      const [best] = fitting.toSorted((a, b) => fill(a, usage) - fill(b, usage));
      if (best) return place(cluster, { pod, key, node: best.metadata.name, usage });
      waiting.add(key, pod);
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
  usage.reserve(key, pod, node);
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
