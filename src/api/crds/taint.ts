import type { CustomResourceDefinition } from '../crd.ts';
import { clusterAffinity } from './affinity.ts';
import { about, choice, column, crd, list, object, string, strings } from './build.ts';
import { resourceList } from './kubernetes.ts';

const group = 'policy.karmada.io';

const matchCondition = object(
  {
    conditionType: string('The condition of the member that is looked at, as Ready.'),
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
  description:
    'Says which taints members are to have while their conditions say so. Checked and kept; no taint follows it yet.',
  parts: {
    spec: about(
      'Which members are to have which taints, and when.',
      object(
        {
          targetClusters: clusterAffinity('The members that are meant; absent: all.'),
          addOnConditions: list('When the taints are to be added: all conditions must hold.', matchCondition),
          removeOnConditions: list('When the taints are to be removed: all conditions must hold.', matchCondition),
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
    hard: resourceList('How much of each resource it may use; all resources must be in overall, too.'),
  },
  ['clusterName', 'hard'],
);

const clusterUse = object(
  {
    clusterName: string('The name of the member.'),
    hard: resourceList('How much of each resource it may use.'),
    used: resourceList('How much of each resource it uses.'),
  },
  ['clusterName'],
);

const quota = crd({
  group,
  kind: 'FederatedResourceQuota',
  plural: 'federatedresourcequotas',
  scope: 'Namespaced',
  description: 'Says how much a namespace may take over all members. Checked and kept; it limits nothing yet.',
  columns: [column('OVERALL', '.status.overall'), column('OVERALL_USED', '.status.overallUsed')],
  parts: {
    spec: about(
      'The limits of the namespace.',
      object(
        {
          overall: resourceList('The limits over all members.'),
          staticAssignments: list('The shares of members, which together must fit into overall.', clusterQuota),
        },
        ['overall'],
      ),
    ),
    status: about(
      'The limits and what is used of them. Not filled in yet.',
      object({
        overall: resourceList('The limits over all members.'),
        overallUsed: resourceList('What is used over all members.'),
        aggregatedStatus: list('What each member may use and uses.', clusterUse),
      }),
    ),
  },
});

/** The policies about members and namespaces: taints and quotas. */
export const taintAndQuotaCrds: readonly CustomResourceDefinition[] = [taintPolicy, quota];
