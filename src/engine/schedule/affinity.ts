import { selectsLabels } from '../../api/index.ts';
import type { Cluster, ClusterAffinity, ClusterAffinityTerm, FieldRequirement, Placement } from '../../api/index.ts';

/**
 * Tells whether the affinity selects the cluster. An empty one selects every cluster; `exclude` goes before all else.
 */
export function selectsCluster(affinity: ClusterAffinity, cluster: Cluster): boolean {
  const { labelSelector, fieldSelector } = affinity;
  if (!namesCluster(affinity, cluster.metadata.name)) return false;
  if (labelSelector && !selectsLabels(labelSelector, cluster.metadata.labels)) return false;
  return fieldSelector?.matchExpressions?.every((requirement) => meetsField(requirement, cluster)) ?? true;
}

function namesCluster({ clusterNames, exclude }: ClusterAffinity, name: string): boolean {
  return !exclude?.includes(name) && (!clusterNames?.length || clusterNames.includes(name));
}

/** `zone` compares with all zones of the cluster: In wants any of them, NotIn none. */
function meetsField({ key, operator, values = [] }: FieldRequirement, cluster: Cluster): boolean {
  const present = fieldOf(cluster, key);
  switch (operator) {
    case 'In':
      return present.some((value) => values.includes(value));
    case 'NotIn':
      return !present.some((value) => values.includes(value));
    case 'Exists':
      return present.length > 0;
    case 'DoesNotExist':
      return present.length === 0;
    default:
      operator satisfies never;
      return false;
  }
}

/** The values of a field by which clusters are selected and spread; none when the cluster does not tell. */
export function fieldOf({ spec }: Cluster, key: 'provider' | 'region' | 'zone'): readonly string[] {
  if (key === 'zone') return spec.zones?.length ? spec.zones : only(spec.zone);
  return only(spec[key]);
}

function only(value: string | undefined): readonly string[] {
  return value ? [value] : [];
}

/** A group of clusters to try; plain `clusterAffinity` (or none) is one group without a name. */
export interface AffinityGroup extends ClusterAffinity {
  readonly affinityName?: string;
  /** Groups that take the replicas for which the clusters of this one lack capacity, in this order. */
  readonly overflowAffinities?: ClusterAffinityTerm['overflowAffinities'];
}

/**
 * The tier of a cluster in a group: 0 where the group itself selects it, 1 and more for its overflow groups; undefined
 * where none does. Only divided replicas overflow.
 */
export function tierOf(group: AffinityGroup, cluster: Cluster, overflows: boolean): number | undefined {
  if (selectsCluster(group, cluster)) return 0;
  const groups = overflows ? (group.overflowAffinities ?? []) : [];
  const index = groups.findIndex((overflow) => selectsCluster(overflow, cluster));
  return index < 0 ? undefined : index + 1;
}

const everywhere: readonly AffinityGroup[] = [{}];

/** The groups of a placement, in the order in which they are tried. */
export function groupsOf({ clusterAffinity, clusterAffinities }: Placement): readonly AffinityGroup[] {
  if (clusterAffinity) return [clusterAffinity];
  return clusterAffinities?.length ? clusterAffinities : everywhere;
}
