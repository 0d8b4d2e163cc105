import type { CustomResourceDefinition } from '../crd.ts';
import { about, choice, column, crd, list, object, string, strings } from './build.ts';
import { resourceList } from './kubernetes.ts';
import { clusterAffinity } from './placement.ts';

const group = 'policy.karmada.io';

const matchCondition = object({ conditionType: string(), operator: choice('In', 'NotIn'), statusValues: strings() }, [
  'conditionType',
  'operator',
  'statusValues',
]);

const taintPolicy = crd({
  group,
  kind: 'ClusterTaintPolicy',
  plural: 'clustertaintpolicies',
  scope: 'Cluster',
  inCategory: false,
  description: 'Taints members while their conditions say so.',
  parts: {
    spec: object(
      {
        targetClusters: clusterAffinity(),
        addOnConditions: about('All must hold for the taints to be added.', list(matchCondition)),
        removeOnConditions: about('All must hold for the taints to be removed.', list(matchCondition)),
        taints: list(object({ key: string(), effect: string(), value: string() }, ['key', 'effect']), { minItems: 1 }),
      },
      ['taints'],
    ),
  },
});

const clusterQuota = object({ clusterName: string(), hard: resourceList() }, ['clusterName', 'hard']);

const quota = crd({
  group,
  kind: 'FederatedResourceQuota',
  plural: 'federatedresourcequotas',
  scope: 'Namespaced',
  description: 'Limits what a namespace takes over all members.',
  columns: [column('OVERALL', '.status.overall'), column('OVERALL_USED', '.status.overallUsed')],
  parts: {
    spec: object(
      {
        overall: about('The limit over all members.', resourceList()),
        staticAssignments: about('The share of each member.', list(clusterQuota)),
      },
      ['overall'],
    ),
    status: object({
      overall: resourceList(),
      overallUsed: resourceList(),
      aggregatedStatus: list(
        object({ clusterName: string(), hard: resourceList(), used: resourceList() }, ['clusterName']),
      ),
    }),
  },
});

/** The policies about members and namespaces: taints and quotas. */
export const taintAndQuotaCrds: readonly CustomResourceDefinition[] = [taintPolicy, quota];
