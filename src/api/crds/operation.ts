import type { CustomResourceDefinition } from '../crd.ts';
import { about, choice, crd, int32, int64, list, object, string, strings, time } from './build.ts';

const workload = object(
  {
    apiVersion: string('The apiVersion of the workload, for example apps/v1.'),
    kind: string('The kind of the workload, for example Deployment.'),
    namespace: string('The namespace of the workload; empty for cluster-scoped kinds.'),
    name: string('The name of the workload.'),
  },
  ['apiVersion', 'kind', 'name'],
);

const observedWorkload = object(
  {
    workload: about('The workload.', workload),
    result: choice('The result of the request: Successful or Failed.', ['Successful', 'Failed']),
    reason: string('The reason of the failure, in one word.'),
  },
  ['workload'],
);

const rebalancer = crd({
  group: 'apps.karmada.io',
  kind: 'WorkloadRebalancer',
  plural: 'workloadrebalancers',
  scope: 'Cluster',
  inCategory: false,
  description: 'Requests that workloads are scheduled again, as if for the first time.',
  parts: {
    spec: about(
      'The workloads to schedule again.',
      object(
        {
          workloads: list('The workloads, each once.', workload, { minItems: 1 }),
          ttlSecondsAfterFinished: int32(
            'The number of seconds after which this object is deleted when it is done; absent: it stays.',
          ),
        },
        ['workloads'],
      ),
    ),
    status: about(
      'The result of the request.',
      object({
        observedWorkloads: list('The result for each workload.', observedWorkload),
        observedGeneration: int64('The generation of this object that the status reflects.'),
        finishTime: time('The time when all workloads were done.'),
      }),
    ),
  },
});

const conditionMatch = object(
  {
    conditionType: string('The type of the member’s condition, for example ServiceDomainNameResolutionReady.'),
    operator: choice('Whether its status must be conditionStatus (Equal) or not (NotEqual).', ['Equal', 'NotEqual']),
    conditionStatus: string('The status to compare with: True, False or Unknown.'),
  },
  ['conditionType', 'operator', 'conditionStatus'],
);

const remedy = crd({
  group: 'remedy.karmada.io',
  kind: 'Remedy',
  plural: 'remedies',
  scope: 'Cluster',
  description: 'Actions for members with some conditions. Validated and stored; nothing acts on it yet.',
  parts: {
    spec: about(
      'The members, the conditions and the actions.',
      object({
        clusterAffinity: about(
          'The members to which it applies; absent: all.',
          object({ clusterNames: strings('Members by name.') }),
        ),
        decisionMatches: list(
          'The conditions that trigger the actions; one match is enough. Empty: always.',
          object({ clusterConditionMatch: about('A condition of the member.', conditionMatch) }),
        ),
        actions: strings('The action, for example TrafficControl.'),
      }),
    ),
  },
});

/** Kinds of requests by operators: a rebalance, a remedy. */
export const operationCrds: readonly CustomResourceDefinition[] = [rebalancer, remedy];
