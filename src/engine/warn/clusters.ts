import { policyApi } from '../../api/index.ts';
import type {
  Cluster,
  ClusterAffinity,
  FieldRequirement,
  KubeObject,
  LabelSelector,
  OverrideSpec,
  Placement,
  PropagationSpec,
  RolloutPolicy,
  Suspension,
} from '../../api/index.ts';
import { fieldOf, groupsOf } from '../schedule/index.ts';
import { warnedName } from './warning.ts';
import type { Warning } from './warning.ts';

/** Which parts of a policy name clusters. */
interface Naming {
  readonly affinities: readonly ClusterAffinity[];
  /** Names outside of affinities. */
  readonly names: readonly string[];
}

/**
 * Warns of names, labels and fields in a policy that no cluster has: most are typing errors. Says nothing while there are no
 * clusters, because then the reader may not be allowed to see them.
 */
export function unknownClusters(object: KubeObject, clusters: readonly Cluster[]): readonly Warning[] {
  const naming = namingIn(object);
  if (!naming || clusters.length === 0) return [];
  const messages = [
    ...unknownNames(naming, clusters),
    ...naming.affinities.flatMap((affinity) => unknownLabels(affinity, clusters)),
  ];
  return [...new Set(messages)].map((message) => ({
    object: warnedName(object),
    because: 'ClustersMissing',
    message,
  }));
}

function namingIn({ apiVersion, kind, ...rest }: KubeObject): Naming | undefined {
  const { spec } = rest as { readonly spec?: object };
  if (apiVersion !== policyApi || !spec) return undefined;
  switch (kind) {
    case 'PropagationPolicy':
    case 'ClusterPropagationPolicy':
      return inPropagation(spec as PropagationSpec);
    case 'OverridePolicy':
    case 'ClusterOverridePolicy':
      return inOverride(spec as OverrideSpec);
    case 'RolloutPolicy':
    case 'ClusterRolloutPolicy':
      return { affinities: [], names: suspendedNames((spec as RolloutPolicy['spec']).suspension) };
    default:
      return undefined;
  }
}

function inPropagation({ placement = {}, suspension }: PropagationSpec): Naming {
  const overflow = (placement.clusterAffinities ?? []).flatMap(({ overflowAffinities = [] }) => overflowAffinities);
  return {
    affinities: [...groupsOf(placement), ...overflow, ...weighted(placement)],
    names: suspendedNames(suspension),
  };
}

function weighted({ replicaScheduling }: Placement): readonly ClusterAffinity[] {
  return (replicaScheduling?.weightPreference?.staticWeightList ?? []).map(({ targetCluster }) => targetCluster);
}

function inOverride({ overrideRules = [], targetCluster }: OverrideSpec): Naming {
  const targets = [...overrideRules.map((rule) => rule.targetCluster), targetCluster];
  return { affinities: targets.filter((target) => target !== undefined), names: [] };
}

function suspendedNames(suspension: Suspension | undefined): readonly string[] {
  const { suspendDispatchingOnClusters, dispatchingOnClusters } = suspension ?? {};
  return [...(suspendDispatchingOnClusters?.clusterNames ?? []), ...(dispatchingOnClusters?.clusterNames ?? [])];
}

function unknownNames({ affinities, names }: Naming, clusters: readonly Cluster[]): readonly string[] {
  const present = clusters.map(({ metadata }) => metadata.name).sort();
  const named = [
    ...names,
    ...affinities.flatMap(({ clusterNames = [], exclude = [] }) => [...clusterNames, ...exclude]),
  ];
  const unknown = [...new Set(named)].filter((name) => !present.includes(name)).sort();
  return unknown.map((name) => `cluster ${name} does not exist; there ${listed(present)}`);
}

/** So many clusters are named; a fleet may have hundreds. */
const most = 10;

function listed(names: readonly string[]): string {
  const more = names.length - most;
  const some = names.slice(0, most).join(', ');
  return `${names.length === 1 ? 'is' : 'are'} ${some}${more > 0 ? ` and ${more} more` : ''}`;
}

function unknownLabels(
  { labelSelector, fieldSelector }: ClusterAffinity,
  clusters: readonly Cluster[],
): readonly string[] {
  return [
    ...missingLabels(labelSelector ?? {}, clusters).map((label) => `no cluster has the label ${label}`),
    ...(fieldSelector?.matchExpressions ?? []).flatMap((requirement) => missingField(requirement, clusters)),
  ];
}

function missingLabels(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  clusters: readonly Cluster[],
): string[] {
  const has = (key: string, values?: readonly string[]): boolean =>
    clusters.some(({ metadata }) => {
      const value = metadata.labels?.[key];
      return value !== undefined && (values === undefined || values.includes(value));
    });
  const missing = Object.entries(matchLabels).flatMap(([key, value]) => (has(key, [value]) ? [] : [`${key}=${value}`]));
  for (const { key, operator, values = [] } of matchExpressions) {
    if (operator === 'Exists' && !has(key)) missing.push(key);
    if (operator === 'In' && !has(key, values)) missing.push(`${key}=${values.join('|')}`);
  }
  return missing;
}

function missingField(
  { key, operator, values = [] }: FieldRequirement,
  clusters: readonly Cluster[],
): readonly string[] {
  const found = clusters.flatMap((cluster) => fieldOf(cluster, key));
  if (operator === 'Exists' && found.length === 0) return [`no cluster has a ${key}`];
  if (operator === 'In' && !values.some((value) => found.includes(value)))
    return [`no cluster has the ${key} ${values.join('|')}`];
  return [];
}
