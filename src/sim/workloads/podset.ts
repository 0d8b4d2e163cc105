import { selectsLabels } from '../../api/index.ts';
import type { KubeObject, LabelSelector } from '../../api/index.ts';
import { controllerReference } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import type { Kind } from '../cluster/kinds.ts';
import { bornAt, isGoing, isOver, isReady } from '../cluster/objects.ts';
import type { Pod, PodTemplate } from '../cluster/objects.ts';

/** A pod from a template, controlled by its owner; with an empty name the API server makes one up. */
export function podOf(owner: KubeObject, template: PodTemplate, extra: PodExtra = {}): Pod {
  const { labels, annotations } = template.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: extra.name ?? '',
      ...(!extra.name && { generateName: `${owner.metadata.name}-` }),
      namespace: owner.metadata.namespace ?? '',
      labels: { ...labels, ...extra.labels },
      ...((annotations ?? extra.annotations) && { annotations: { ...annotations, ...extra.annotations } }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: { ...template.spec, ...extra.spec },
  };
}

/** The fields that differ from the template. */
export interface PodExtra {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Partial<Pod['spec']>;
}

/** The pods of a controller that count: not over, not on their way out. */
export function activePods(cluster: Cluster, owner: KubeObject): readonly Pod[] {
  return cluster.owned(owner, kinds.pods).filter((pod) => !isOver(pod) && !isGoing(pod));
}

type Owner = KubeObject & { readonly spec: { readonly selector: LabelSelector } };

/** Takes over what matches and obeys nobody, as what an earlier owner left behind. */
export async function adopt(cluster: Cluster, owner: Owner, kind: Kind): Promise<void> {
  for (const key of cluster.orphans.of(`${kind.group}/${kind.plural}`, owner.metadata.namespace ?? '')) {
    const orphan = cluster.at(kind, key);
    if (!orphan || isGoing(orphan) || !selectsLabels(owner.spec.selector, orphan.metadata.labels)) continue;
    const ownerReferences = [...(orphan.metadata.ownerReferences ?? []), controllerReference(owner)];
    await cluster.update({ ...orphan, metadata: { ...orphan.metadata, ownerReferences } });
  }
}

/** How many of these pods are ready, and ready for long enough. */
export function readiness(cluster: Cluster, pods: readonly Pod[], minReadySeconds = 0): Readiness {
  let [ready, available, again] = [0, 0, Infinity];
  for (const pod of pods) {
    if (!isReady(pod)) continue;
    ready++;
    const left = availableIn(cluster, pod, minReadySeconds);
    if (left <= 0) available++;
    else again = Math.min(again, left);
  }
  return { ready, available, ...(again !== Infinity && { again }) };
}

/** How many pods of a workload are ready and available. */
export interface Readiness {
  readonly ready: number;
  readonly available: number;
  /** Milliseconds until one more is available. */
  readonly again?: number;
}

function availableIn(cluster: Cluster, pod: Pod, minReadySeconds: number): number {
  if (minReadySeconds === 0) return 0;
  const since = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? '';
  return Date.parse(since) + minReadySeconds * 1000 - cluster.clock.now();
}

/** The order in which pods are removed: without a node first, then not ready, then the youngest. */
export function leastMissed(pods: readonly Pod[]): readonly Pod[] {
  return pods.toSorted((a, b) => rankOf(a) - rankOf(b) || (bornAt(a) < bornAt(b) ? 1 : -1));
}

function rankOf(pod: Pod): number {
  if (!pod.spec.nodeName) return 0;
  return isReady(pod) ? 2 : 1;
}
