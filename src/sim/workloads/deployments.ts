import { alreadyExists, hasReason } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import type { Behaviour } from '../cluster/behaviour.ts';
import { controllerReference } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { isGoing, isOver } from '../cluster/objects.ts';
import type { Deployment, ReplicaSet } from '../cluster/objects.ts';
import { progressLeft, statusOf } from './deploymentstatus.ts';
import { adopt } from './podset.ts';
import { annotationsOf, hashLabel, revisionAnnotation, revisionOf, setOf, templateHash } from './revision.ts';
import { currentSize, fencesOf, oldSizes } from './rollout.ts';
import type { Fences } from './rollout.ts';

/** The ReplicaSets of a Deployment, and what they may grow to. */
export interface Sets {
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  readonly fences: Fences;
  readonly replicas: number;
}

/** Rolls a Deployment out over ReplicaSets, one for each of its templates. */
export const deployments: Behaviour<Deployment> = {
  name: 'deployments',
  kind: kinds.deployments,
  async look(cluster, deployment) {
    if (!isGoing(deployment)) {
      const { paused } = deployment.spec;
      await adopt(cluster, deployment, kinds.replicaSets);
      const sets = setsOf(cluster, deployment);
      const current = paused ? sets.current : await ensureCurrent(cluster, deployment, sets);
      if (current) await roll(cluster, deployment, { ...sets, current });
      if (!paused) await prune(cluster, deployment);
    }
    const fresh = cluster.get(kinds.deployments, deployment.metadata.namespace, deployment.metadata.name);
    if (!fresh || fresh.metadata.uid !== deployment.metadata.uid) return undefined;
    const sets = setsOf(cluster, fresh);
    await cluster.writeStatus(fresh, statusOf(fresh, sets, cluster.stamp()));
    return progressLeft(fresh, sets, cluster.clock.now());
  },
};

function setsOf(cluster: Cluster, deployment: Deployment): Sets {
  const all = cluster.owned(deployment, kinds.replicaSets);
  const current = setOf(all, deployment.spec.template);
  const replicas = deployment.spec.replicas ?? 1;
  const recreates = deployment.spec.strategy?.type === 'Recreate';
  const fences = recreates
    ? { maxSurge: 0, maxUnavailable: 0 }
    : fencesOf(deployment.spec.strategy?.rollingUpdate, replicas);
  const old = all.filter((set) => set !== current).toSorted((a, b) => revisionOf(a) - revisionOf(b));
  return { current, old, fences, replicas };
}

/** The ReplicaSet of the current template, made or made the newest revision; both it and the Deployment say which. */
async function ensureCurrent(cluster: Cluster, deployment: Deployment, sets: Sets): Promise<ReplicaSet | undefined> {
  const newest = Math.max(0, ...sets.old.map(revisionOf));
  const known = sets.current && revisionOf(sets.current);
  const revision = known !== undefined && known > newest ? known : newest + 1;
  const annotations = annotationsOf(deployment, {
    revision,
    desired: sets.replicas,
    most: sets.replicas + sets.fences.maxSurge,
  });
  const current = sets.current
    ? await annotated(cluster, sets.current, annotations)
    : await created(cluster, deployment, annotations);
  if (current && revisionOf(deployment) !== revision) await announce(cluster, deployment, revision);
  return current;
}

async function announce(cluster: Cluster, deployment: Deployment, revision: number): Promise<void> {
  const annotations = { ...deployment.metadata.annotations, [revisionAnnotation]: String(revision) };
  await cluster.update({ ...deployment, metadata: { ...deployment.metadata, annotations } });
}

async function annotated(
  cluster: Cluster,
  set: ReplicaSet,
  annotations: Readonly<Record<string, string>>,
): Promise<ReplicaSet> {
  const merged = { ...set.metadata.annotations, ...annotations };
  if (equal(merged, set.metadata.annotations)) return set;
  return cluster.update({ ...set, metadata: { ...set.metadata, annotations: merged } });
}

async function created(
  cluster: Cluster,
  deployment: Deployment,
  annotations: Readonly<Record<string, string>>,
): Promise<ReplicaSet | undefined> {
  const set = replicaSetOf(deployment, annotations);
  try {
    return await cluster.create(set);
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    await giveWay(cluster, deployment, set.metadata.name);
    return undefined;
  }
}

function replicaSetOf(deployment: Deployment, annotations: Readonly<Record<string, string>>): ReplicaSet {
  const { spec, metadata, status } = deployment;
  const hash = templateHash(spec.template, status?.collisionCount);
  const labels = { ...spec.template.metadata?.labels, [hashLabel]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name}-${hash}`,
      namespace: metadata.namespace ?? '',
      labels,
      annotations,
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: 0,
      ...(spec.minReadySeconds && { minReadySeconds: spec.minReadySeconds }),
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

/**
 * Another owner has the name. A ReplicaSet that is being deleted is waited for; otherwise another hash gives another
 * name.
 */
async function giveWay(cluster: Cluster, deployment: Deployment, name: string): Promise<void> {
  const rival = cluster.get(kinds.replicaSets, deployment.metadata.namespace, name);
  if (rival && isGoing(rival)) throw alreadyExists(kinds.replicaSets, name);
  const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
  await cluster.writeStatus(deployment, { ...deployment.status, collisionCount });
}

type Rolling = Sets & { readonly current: ReplicaSet };

async function roll(cluster: Cluster, { spec }: Deployment, sets: Rolling): Promise<void> {
  if (spec.paused) return sets.old.length > 0 ? undefined : resize(cluster, sets.current, sets.replicas);
  if (spec.strategy?.type === 'Recreate') {
    await Promise.all(sets.old.map((set) => resize(cluster, set, 0)));
    if (sets.old.every((set) => isEmpty(cluster, set))) await resize(cluster, sets.current, sets.replicas);
    return;
  }
  const size = currentSize(sets);
  if (size !== sets.current.spec.replicas) return resize(cluster, sets.current, size);
  const sizes = oldSizes(sets);
  await Promise.all(sets.old.map((set, i) => resize(cluster, set, sizes[i] ?? 0)));
}

function isEmpty(cluster: Cluster, set: ReplicaSet): boolean {
  return cluster.owned(set, kinds.pods).every(isOver);
}

async function resize(cluster: Cluster, set: ReplicaSet, replicas: number): Promise<void> {
  if (set.spec.replicas === replicas) return;
  await cluster.update({ ...set, spec: { ...set.spec, replicas } });
}

/** Old ReplicaSets that run nothing are history, and history has a limit. */
async function prune(cluster: Cluster, deployment: Deployment): Promise<void> {
  const { old } = setsOf(cluster, deployment);
  const idle = old.filter(({ spec, status }) => spec.replicas === 0 && !status?.replicas);
  const surplus = idle.slice(0, Math.max(0, old.length - (deployment.spec.revisionHistoryLimit ?? 10)));
  await Promise.all(surplus.map((set) => cluster.delete(set)));
}
