import type { CustomResourceDefinition } from '../crd.ts';
import { clusterAffinity } from './affinity.ts';
import { about, choice, column, crd, list, object, string, strings } from './build.ts';
import { resourceList } from './kubernetes.ts';

const group = 'policy.karmada.io';

const matchCondition = object(
  {
    conditionType: string('The type of the member’s condition, for example Ready.'),
    operator: choice('In: its status must be one of statusValues. NotIn: it must be none of them.', ['In', 'NotIn']),
    statusValues: strings('Statuses: True, False, Unknown.'),
  },
  ['conditionType', 'operator', 'statusValues'],
);

const policyTaint = object(
  {
    key: string('The name of the taint.'),
    effect: string('NoSchedule, or NoExecute where that is allowed.'),
    value: string('The value of the taint.'),
  },
  ['key', 'effect'],
);

const taintPolicy = crd({
  group,
  kind: 'ClusterTaintPolicy',
  plural: 'clustertaintpolicies',
  scope: 'Cluster',
  inCategory: false,
  description: 'Taints members while they have some conditions; with the feature gate Failover.',
  parts: {
    spec: about(
      'The members, the taints and the conditions.',
      object(
        {
          targetClusters: clusterAffinity('The members to which it applies; absent: all.'),
          addOnConditions: list('The conditions for adding the taints; all must match.', matchCondition),
          removeOnConditions: list('The conditions for removing the taints; all must match.', matchCondition),
          taints: list('The taints; one for each key and effect.', policyTaint, { minItems: 1 }),
        },
        ['taints'],
      ),
    ),
  },
});

const clusterQuota = object(
  {
    clusterName: string('The name of the member.'),
    hard: resourceList('The limit of each resource; all resources must be in overall, too.'),
  },
  ['clusterName', 'hard'],
);

const clusterUse = object(
  {
    clusterName: string('The name of the member.'),
    hard: resourceList('The limit of each resource.'),
    used: resourceList('The use of each resource.'),
  },
  ['clusterName'],
);

const quota = crd({
  group,
  kind: 'FederatedResourceQuota',
  plural: 'federatedresourcequotas',
  scope: 'Namespaced',
  description: 'Limits the resources of a namespace over all members. Validated and stored; it limits nothing yet.',
  columns: [column('OVERALL', '.status.overall'), column('OVERALL_USED', '.status.overallUsed')],
  parts: {
    spec: about(
      'The limits of the namespace.',
      object(
        {
          overall: resourceList('The limits over all members.'),
          staticAssignments: list('The shares of members; together they must fit into overall.', clusterQuota),
        },
        ['overall'],
      ),
    ),
    status: about(
      'The limits and their use. Not filled in yet.',
      object({
        overall: resourceList('The limits over all members.'),
        overallUsed: resourceList('The use over all members.'),
        aggregatedStatus: list('The limit and the use of each member.', clusterUse),
      }),
    ),
  },
});

/** The policies about members and namespaces: taints and quotas. */
export const taintAndQuotaCrds: readonly CustomResourceDefinition[] = [taintPolicy, quota];
