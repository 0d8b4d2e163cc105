import type { CustomResourceDefinition } from '../crd.ts';
import { about, choice, crd, int32, int64, list, object, string, strings, time } from './build.ts';

const workload = object(
  {
    apiVersion: string('The apiVersion of the workload, as apps/v1.'),
    kind: string('The kind of the workload, as Deployment.'),
    namespace: string('The namespace of the workload; empty where its kind has none.'),
    name: string('The name of the workload.'),
  },
  ['apiVersion', 'kind', 'name'],
);

const observedWorkload = object(
  {
    workload: about('The workload.', workload),
    result: choice('Whether the request was passed on: Successful or Failed.', ['Successful', 'Failed']),
    reason: string('Why it failed, in one word.'),
  },
  ['workload'],
);

const rebalancer = crd({
  group: 'apps.karmada.io',
  kind: 'WorkloadRebalancer',
  plural: 'workloadrebalancers',
  scope: 'Cluster',
  inCategory: false,
  description:
    'Asks for a new choice of members for workloads, as if for the first time. Checked and kept; nothing acts on it yet. Set spec.rescheduleTriggeredAt of the binding instead.',
  parts: {
    spec: about(
      'Which workloads are meant.',
      object(
        {
          workloads: list('The workloads, each once.', workload, { minItems: 1 }),
          ttlSecondsAfterFinished: int32('How many seconds after it is done this object may go; absent: it stays.'),
        },
        ['workloads'],
      ),
    ),
    status: about(
      'What became of the request. Not filled in yet.',
      object({
        observedWorkloads: list('What became of each workload.', observedWorkload),
        observedGeneration: int64('The generation of this object that the status speaks of.'),
        finishTime: time('When all workloads were done with.'),
      }),
    ),
  },
});

const conditionMatch = object(
  {
    conditionType: string('The condition of the member that is looked at, as ServiceDomainNameResolutionReady.'),
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
  description: 'Says what to do about members whose conditions say so. Checked and kept; nothing acts on it yet.',
  parts: {
    spec: about(
      'Which members are meant, when, and what to do.',
      object({
        clusterAffinity: about(
          'The members that are meant; absent: all.',
          object({ clusterNames: strings('Members by name.') }),
        ),
        decisionMatches: list(
          'When the actions are due: when one of these holds. Empty: always.',
          object({ clusterConditionMatch: about('A condition of the member.', conditionMatch) }),
        ),
        actions: strings('What is to be done, as TrafficControl.'),
      }),
    ),
  },
});

/** Kinds of requests by operators: a rebalance, a remedy. */
export const operationCrds: readonly CustomResourceDefinition[] = [rebalancer, remedy];
