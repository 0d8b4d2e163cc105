import { hasReason } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { at, equal } from '../../base/index.ts';
import { controllerReference } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import type { ControllerRevision, PodTemplate, WorkloadSpec } from '../cluster/objects.ts';
import { templateHash } from './revision.ts';

/** By which pods of StatefulSets and DaemonSets tell their revision. */
export const revisionLabel = 'controller-revision-hash';

type Owner = KubeObject & { readonly spec: WorkloadSpec; readonly status?: { readonly collisionCount?: number } };

/** The revision of the owner's template, made or made the newest; `kubectl rollout history` reads these. */
export async function currentRevision(cluster: Cluster, owner: Owner): Promise<ControllerRevision> {
  const all = cluster.owned(owner, kinds.revisions);
  const data = { spec: { template: { ...owner.spec.template, $patch: 'replace' } } };
  const known = all.find((one) => equal(one.data, data));
  const newest = Math.max(0, ...all.map(({ revision }) => revision));
  if (known?.revision === newest) return known;
  if (known) return cluster.update({ ...known, revision: newest + 1 });
  const made = revisionOf(owner, newest + 1, data);
  try {
    return await cluster.create(made);
  } catch (error) {
    const present = cluster.get(kinds.revisions, owner.metadata.namespace, made.metadata.name);
    if (present && hasReason(error, 'AlreadyExists') && equal(present.data, data)) return present;
    throw error;
  }
}

function revisionOf(owner: Owner, revision: number, data: object): ControllerRevision {
  const { name, namespace = '', annotations } = owner.metadata;
  const hash = templateHash(owner.spec.template, owner.status?.collisionCount);
  const cause = annotations?.['kubernetes.io/change-cause'];
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...owner.spec.template.metadata?.labels, [revisionLabel]: hash },
      ...(cause && { annotations: { 'kubernetes.io/change-cause': cause } }),
      ownerReferences: [controllerReference(owner)],
    },
    revision,
    data,
  };
}

/** The template that a revision stands for. */
export function templateOf(revision: ControllerRevision): PodTemplate {
  const { $patch: _, ...template } = (at(revision.data, ['spec', 'template']) ?? {}) as Record<string, unknown>;
  return template as unknown as PodTemplate;
}

/** Removes the oldest revisions that nobody uses, beyond what the owner keeps. */
export async function pruneHistory(cluster: Cluster, owner: Owner, used: ReadonlySet<string>): Promise<void> {
  const idle = cluster
    .owned(owner, kinds.revisions)
    .filter(({ metadata }) => !used.has(metadata.name))
    .toSorted((a, b) => a.revision - b.revision);
  const surplus = Math.max(0, idle.length - (owner.spec.revisionHistoryLimit ?? 10));
  await Promise.all(idle.slice(0, surplus).map((one) => cluster.delete(one)));
}
