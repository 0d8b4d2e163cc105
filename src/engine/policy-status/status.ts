import type { Cluster, Condition, Placement, Policy, PolicyStatus, View } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { policyIdOf, specVersionOf } from '../claim/index.ts';
import { withCondition } from '../conditions.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { groupsOf, selectsCluster } from '../schedule/index.ts';
import type { PolicyCounts, Tally } from './tally.ts';

/** All that the status of a policy depends on. */
export interface PolicyStatusFacts {
  readonly policy: Policy;
  readonly counts: PolicyCounts;
  readonly clusters: readonly Cluster[];
  readonly now: string;
}

/** The actions that write the status of a policy. */
export type PolicyStatusAction = Action<'report'>;

/** Gathers the facts; undefined when the policy is gone. */
export function gatherPolicyStatus(view: View, key: string, tally: Tally): PolicyStatusFacts | undefined {
  const policy = view.get(key) as Policy | undefined;
  return policy && { policy, counts: tally.of(policyIdOf(policy)), clusters: view.clusters, now: view.now };
}

/**
 * Question of the policies' controller: what does a policy report of the templates that it manages, and of the clusters
 * that it names?
 */
export function decidePolicyStatus(facts: PolicyStatusFacts): Decision<PolicyStatusAction> {
  const { policy, counts, now } = facts;
  if (policy.metadata.deletionTimestamp) return rest('PolicyDeleting');
  const conditions = withCondition(policy.status?.conditions, clustersCondition(facts), now);
  const { generation } = policy.metadata;
  const status: PolicyStatus = {
    ...(generation !== undefined && { observedGeneration: generation }),
    observedResourceVersion: String(specVersionOf(policy)),
    ...counts,
    conditions,
  };
  if (equal(status, policy.status)) return rest('UpToDate');
  return act('Collected', { do: 'report', write: { verb: 'updateStatus', object: { ...policy, status } } });
}

function clustersCondition({ policy, clusters }: PolicyStatusFacts): Omit<Condition, 'lastTransitionTime'> {
  const type = 'ClustersExist';
  const { placement = {} } = policy.spec;
  const missing = missingIn(placement, clusters);
  if (missing.length > 0) {
    const message = `the placement names clusters that do not exist: ${missing.join(', ')}`;
    return { type, status: 'False', reason: 'ClustersMissing', message };
  }
  const selected = clusters.filter((cluster) => groupsOf(placement).some((group) => selectsCluster(group, cluster)));
  if (selected.length === 0) {
    const message =
      clusters.length === 0 ? 'there are no clusters' : `the placement selects none of the ${clusters.length} clusters`;
    return { type, status: 'False', reason: 'NoClusterFits', message };
  }
  return { type, status: 'True', reason: 'ClustersFound', message: 'the placement finds clusters' };
}

function missingIn(placement: Placement, clusters: readonly Cluster[]): readonly string[] {
  const present = new Set(clusters.map(({ metadata }) => metadata.name));
  const named = groupsOf(placement).flatMap(({ clusterNames = [] }) => clusterNames);
  return [...new Set(named)].filter((name) => !present.has(name)).sort();
}
