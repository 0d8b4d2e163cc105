import { policyApi } from '../../api/index.ts';
import type {
  Cluster,
  ClusterAffinity,
  FieldRequirement,
  KubeObject,
  LabelSelector,
  OverrideSpec,
  PropagationSpec,
  Suspension,
} from '../../api/index.ts';
import { fieldOf, groupsOf } from '../schedule/index.ts';
import { warnedName } from './warning.ts';
import type { Warning } from './warning.ts';

/** The fields of all kinds of policies that name clusters; each kind has some of them. */
type NamingSpec = Pick<Partial<PropagationSpec>, 'placement' | 'suspension'> &
  Pick<OverrideSpec, 'overrideRules' | 'targetCluster'>;

/**
 * Warns of names, labels and fields in a policy that no cluster has: most are typing errors. Says nothing while there are no
 * clusters, because then the reader may not be allowed to see them.
 */
export function unknownClusters(object: KubeObject, clusters: readonly Cluster[]): readonly Warning[] {
  const { spec } = object as KubeObject & { readonly spec?: NamingSpec };
  if (object.apiVersion !== policyApi || !spec || clusters.length === 0) return [];
  const affinities = affinitiesIn(spec);
  const names = [...suspendedNames(spec.suspension), ...affinities.flatMap(namesIn)];
  const messages = [
    ...unknownNames(names, clusters),
    ...affinities.flatMap((affinity) => unknownLabels(affinity, clusters)),
  ];
  return [...new Set(messages)].map((message) => ({
    object: warnedName(object),
    because: 'ClustersMissing',
    message,
  }));
}

function affinitiesIn({ placement = {}, overrideRules = [], targetCluster }: NamingSpec): readonly ClusterAffinity[] {
  const overflow = (placement.clusterAffinities ?? []).flatMap(({ overflowAffinities = [] }) => overflowAffinities);
  const weights = placement.replicaScheduling?.weightPreference?.staticWeightList ?? [];
  const targets = [...overrideRules, ...weights, { targetCluster }].flatMap((one) => one.targetCluster ?? []);
  return [...groupsOf(placement), ...overflow, ...targets];
}

const namesIn = ({ clusterNames = [], exclude = [] }: ClusterAffinity): readonly string[] => [
  ...clusterNames,
  ...exclude,
];

function suspendedNames(suspension: Suspension | undefined): readonly string[] {
  const { suspendDispatchingOnClusters, dispatchingOnClusters } = suspension ?? {};
  return [...(suspendDispatchingOnClusters?.clusterNames ?? []), ...(dispatchingOnClusters?.clusterNames ?? [])];
}

function unknownNames(named: readonly string[], clusters: readonly Cluster[]): readonly string[] {
  const present = clusters.map(({ metadata }) => metadata.name).sort();
  const unknown = [...new Set(named)].filter((name) => !present.includes(name)).sort();
  return unknown.map((name) => `cluster ${name} does not exist; there ${listed(present)}`);
}

/** Number of clusters that are named; a fleet may have hundreds. */
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
