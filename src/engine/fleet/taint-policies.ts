import { policyApi } from '../../api/index.ts';
import type { Cluster, ClusterConditionMatch, ClusterTaintPolicy, Taint, View } from '../../api/index.ts';
import { conditionStatus } from '../conditions.ts';
import { kindKey } from '../match/index.ts';
import { selectsCluster } from '../schedule/index.ts';

/** The policies that may taint members, the oldest first; none while the gate Failover is off. */
export function taintPoliciesOf(view: View): readonly ClusterTaintPolicy[] {
  if (!view.gates.Failover) return [];
  const policies: ClusterTaintPolicy[] = [];
  view.each(kindKey(`${policyApi}|ClusterTaintPolicy`), (policy) => policies.push(policy as ClusterTaintPolicy));
  return policies.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

const orderOf = ({ metadata }: ClusterTaintPolicy): string => `${metadata.creationTimestamp ?? ''}|${metadata.name}`;

/**
 * The taints of a member after what its conditions make each policy add or remove. Repeating this changes nothing: a taint
 * that one policy removes and a later one adds keeps the time at which it was added first. A policy that is deleted, or no
 * longer matches, takes nothing back.
 */
export function taintsByPolicies(
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
  now: string,
): readonly Taint[] {
  const before = cluster.spec.taints ?? [];
  const known = new Map(before.map((taint) => [identityOf(taint), taint]));
  const taints = new Map(known);
  for (const policy of policies) {
    if (!concerns(policy, cluster)) continue;
    const { spec } = policy;
    const [adds, removes] = [allMet(cluster, spec.addOnConditions), allMet(cluster, spec.removeOnConditions)];
    for (const taint of spec.taints) {
      const name = identityOf(taint);
      if (removes) taints.delete(name);
      else if (adds && !taints.has(name)) taints.set(name, known.get(name) ?? { ...taint, timeAdded: now });
    }
  }
  return [...taints.values()];
}

function concerns({ metadata, spec }: ClusterTaintPolicy, cluster: Cluster): boolean {
  if (metadata.deletionTimestamp) return false;
  return !spec.targetClusters || selectsCluster(spec.targetClusters, cluster);
}

const identityOf = ({ key, effect }: Pick<Taint, 'key' | 'effect'>): string => `${key}:${effect}`;

/** A list without conditions never applies, and neither does a condition that the member does not have. */
function allMet({ status }: Cluster, matches: readonly ClusterConditionMatch[] | undefined): boolean {
  if (!matches?.length) return false;
  return matches.every(({ conditionType, operator, statusValues }) => {
    const present = conditionStatus(status?.conditions, conditionType);
    return present !== undefined && statusValues.includes(present) === (operator === 'In');
  });
}
