import type { CustomResourceDefinition } from '../crd.ts';
import { about, choice, crd, int32, int64, list, object, string, strings, time } from './build.ts';

const workload = object({ apiVersion: string(), kind: string(), namespace: string(), name: string() }, [
  'apiVersion',
  'kind',
  'name',
]);

const rebalancer = crd({
  group: 'apps.karmada.io',
  kind: 'WorkloadRebalancer',
  plural: 'workloadrebalancers',
  scope: 'Cluster',
  inCategory: false,
  description: 'Has workloads scheduled anew, as if for the first time.',
  parts: {
    spec: object(
      {
        workloads: list(workload, { minItems: 1 }),
        ttlSecondsAfterFinished: about('Deletes this object so long after it is done.', int32()),
      },
      ['workloads'],
    ),
    status: object({
      observedWorkloads: list(
        object({ workload, result: choice('Successful', 'Failed'), reason: string() }, ['workload']),
      ),
      observedGeneration: int64(),
      finishTime: time(),
    }),
  },
});

const remedy = crd({
  group: 'remedy.karmada.io',
  kind: 'Remedy',
  plural: 'remedies',
  scope: 'Cluster',
  description: 'What to do about members whose conditions say so.',
  parts: {
    spec: object({
      clusterAffinity: object({ clusterNames: strings() }),
      decisionMatches: list(
        object({
          clusterConditionMatch: object(
            { conditionType: string(), operator: choice('Equal', 'NotEqual'), conditionStatus: string() },
            ['conditionType', 'operator', 'conditionStatus'],
          ),
        }),
      ),
      actions: strings(),
    }),
  },
});

/** What operators ask for: a rebalance, a remedy. */
export const operationCrds: readonly CustomResourceDefinition[] = [rebalancer, remedy];
