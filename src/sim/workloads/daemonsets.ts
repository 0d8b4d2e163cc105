import type { Behaviour } from '../cluster/behaviour.ts';
import { storeKey } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { isGoing, isOver, isReady } from '../cluster/objects.ts';
import type { ControllerRevision, DaemonSet, Node, Pod, Toleration } from '../cluster/objects.ts';
import { isWanted, repulsion } from '../pods/fit.ts';
import { currentRevision, pruneHistory, revisionLabel } from './history.ts';
import { podOf, readiness } from './podset.ts';
import { resolved } from './rollout.ts';

/** The tolerations that all pods of a DaemonSet have, whatever their template says. */
const endured: readonly Toleration[] = [
  ...['not-ready', 'unreachable'].map((key) => ({ key, effect: 'NoExecute' })),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((key) => ({
    key,
    effect: 'NoSchedule',
  })),
].map(({ key, effect }) => ({ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect }));

/** Keeps one pod on every node that fits. */
export const daemonSets: Behaviour<DaemonSet> = {
  name: 'daemonsets',
  kind: kinds.daemonSets,
  wakes: {
    '/nodes': (cluster) => cluster.list(kinds.daemonSets).map((set) => storeKey(kinds.daemonSets, set)),
  },
  async look(cluster, set) {
    const revision = await currentRevision(cluster, set);
    const nodes = cluster.list(kinds.nodes).filter((node) => runsOn(set, node));
    if (!isGoing(set)) {
      await spread(cluster, { set, revision, nodes });
      await renew(cluster, { set, revision, nodes });
    }
    return report(cluster, { set, revision, nodes });
  },
};

interface State {
  readonly set: DaemonSet;
  readonly revision: ControllerRevision;
  /** The nodes that should have a pod. */
  readonly nodes: readonly Node[];
}

function runsOn({ spec }: DaemonSet, node: Node): boolean {
  const tolerations = [...(spec.template.spec.tolerations ?? []), ...endured];
  return isWanted(spec.template, node) && repulsion(node, tolerations) === undefined;
}

const nodeOf = ({ spec }: Pod): string => spec.nodeName ?? pinOf(spec.affinity) ?? '';

/** The node that a pod was made for, before the scheduler has put it there. */
function pinOf(affinity: Pod['spec']['affinity']): string | undefined {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms?.[0]?.matchFields?.[0]?.values?.[0];
}

async function spread(cluster: Cluster, { set, revision, nodes }: State): Promise<void> {
  const wanted = new Set(nodes.map(({ metadata }) => metadata.name));
  const taken = new Set<string>();
  for (const pod of cluster.owned(set, kinds.pods)) {
    const node = nodeOf(pod);
    const surplus = !wanted.has(node) || taken.has(node) || isOver(pod);
    if (surplus && !isGoing(pod)) await cluster.delete(pod);
    taken.add(node);
  }
  const missing = [...wanted].filter((node) => !taken.has(node));
  await Promise.all(missing.map((node) => cluster.create(daemonPod(set, revision, node))));
}

function daemonPod(set: DaemonSet, revision: ControllerRevision, node: string): Pod {
  const { template } = set.spec;
  const pin = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] };
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [pin] } };
  return podOf(set, template, {
    labels: { [revisionLabel]: hashOf(revision) },
    spec: {
      affinity: { ...template.spec.affinity, nodeAffinity },
      tolerations: [...(template.spec.tolerations ?? []), ...endured],
    },
  });
}

const hashOf = ({ metadata }: ControllerRevision): string => metadata.labels?.[revisionLabel] ?? '';
const isOf = (pod: Pod, revision: ControllerRevision): boolean =>
  pod.metadata.labels?.[revisionLabel] === hashOf(revision);

/** Replaces pods of older revisions: those that do not work at once, the others as many as may be missing. */
async function renew(cluster: Cluster, { set, revision, nodes }: State): Promise<void> {
  if (set.spec.updateStrategy?.type === 'OnDelete') return;
  const limit = resolved(set.spec.updateStrategy?.rollingUpdate?.['maxUnavailable'] ?? 1, nodes.length, Math.ceil);
  const pods = cluster.owned(set, kinds.pods).filter((pod) => !isOver(pod));
  const working = pods.filter((pod) => isReady(pod) && !isGoing(pod));
  const outdated = pods.filter((pod) => !isOf(pod, revision) && !isGoing(pod));
  const broken = outdated.filter((pod) => !isReady(pod));
  const free = Math.max(0, Math.max(1, limit) - (nodes.length - working.length));
  const chosen = outdated.filter(isReady).slice(0, free);
  for (const pod of [...broken, ...chosen]) await cluster.delete(pod);
}

async function report(cluster: Cluster, { set, revision, nodes }: State): Promise<number | undefined> {
  const fresh = cluster.get(kinds.daemonSets, set.metadata.namespace, set.metadata.name);
  if (!fresh) return undefined;
  const pods = cluster.owned(set, kinds.pods).filter((pod) => !isOver(pod) && !isGoing(pod));
  const { ready, available, again } = readiness(cluster, pods, set.spec.minReadySeconds);
  const desired = nodes.length;
  const updated = pods.filter((pod) => isOf(pod, revision)).length;
  await cluster.writeStatus(fresh, {
    currentNumberScheduled: pods.length,
    numberMisscheduled: 0,
    desiredNumberScheduled: desired,
    numberReady: ready,
    observedGeneration: fresh.metadata.generation,
    ...(updated > 0 && { updatedNumberScheduled: updated }),
    ...(available > 0 && { numberAvailable: available }),
    ...(desired > available && { numberUnavailable: desired - available }),
  });
  await pruneHistory(cluster, set, new Set([revision.metadata.name]));
  return again;
}
