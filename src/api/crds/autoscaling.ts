import type { CustomResourceDefinition } from '../crd.ts';
import type { Schema } from '../schema.ts';
import { age, boolean, column, crd, int32, int64, list, object, string, time } from './build.ts';
import { conditions, labelSelector, quantity, scaleTarget } from './kubernetes.ts';

const group = 'autoscaling.karmada.io';

const amounts = { averageUtilization: int32(), averageValue: quantity(), value: quantity() };
const target = object({ type: string(), ...amounts }, ['type']);
const metric = object({ name: string(), selector: labelSelector() }, ['name']);

/** A metric with what is wanted of it (`target`) or what is seen of it (`current`). */
function metricSource(key: 'target' | 'current', value: Schema): Schema {
  const holding = (parts: Readonly<Record<string, Schema>>, required: readonly string[]): Schema =>
    object({ ...parts, [key]: value }, [...required, key]);
  return object(
    {
      type: string(),
      object: holding({ describedObject: scaleTarget(), metric }, ['describedObject', 'metric']),
      pods: holding({ metric }, ['metric']),
      resource: holding({ name: string() }, ['name']),
      containerResource: holding({ container: string(), name: string() }, ['container', 'name']),
      external: holding({ metric }, ['metric']),
    },
    ['type'],
  );
}

const scalingRules = object({
  stabilizationWindowSeconds: int32(),
  selectPolicy: string(),
  policies: list(
    object({ type: string(), value: int32(), periodSeconds: int32() }, ['type', 'value', 'periodSeconds']),
  ),
  tolerance: quantity(),
});

const reference = [
  column('REFERENCE-KIND', '.spec.scaleTargetRef.kind'),
  column('REFERENCE-NAME', '.spec.scaleTargetRef.name'),
];

const count = { type: 'integer' } as const;

const federatedHpa = crd({
  group,
  kind: 'FederatedHPA',
  plural: 'federatedhpas',
  scope: 'Namespaced',
  shortNames: ['fhpa'],
  description: 'Scales a workload by metrics of all members.',
  columns: [
    ...reference,
    column('MINPODS', '.spec.minReplicas', count),
    column('MAXPODS', '.spec.maxReplicas', count),
    column('REPLICAS', '.status.currentReplicas', count),
    age(),
  ],
  parts: {
    spec: object(
      {
        scaleTargetRef: scaleTarget(),
        minReplicas: int32(),
        maxReplicas: int32(),
        metrics: list(metricSource('target', target)),
        behavior: object({ scaleUp: scalingRules, scaleDown: scalingRules }),
      },
      ['scaleTargetRef', 'maxReplicas'],
    ),
    status: object({
      observedGeneration: int64(),
      lastScaleTime: time(),
      currentReplicas: int32(),
      desiredReplicas: int32(),
      currentMetrics: list(metricSource('current', object(amounts))),
      conditions: conditions(),
    }),
  },
});

function history(parts: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  const properties: Readonly<Record<string, Schema>> = { scheduleTime: time(), executionTime: time(), ...parts };
  return list(object(properties, ['scheduleTime', 'executionTime', ...required]));
}

const cronRule = object(
  {
    name: string({ minLength: 1, maxLength: 32 }),
    schedule: string(),
    targetReplicas: int32(),
    targetMinReplicas: int32(),
    targetMaxReplicas: int32(),
    suspend: boolean({ default: false }),
    timeZone: string(),
    successfulHistoryLimit: int32({ default: 3, minimum: 1, maximum: 32 }),
    failedHistoryLimit: int32({ default: 3, minimum: 0, maximum: 32 }),
  },
  ['name', 'schedule'],
);

const cronFederatedHpa = crd({
  group,
  kind: 'CronFederatedHPA',
  plural: 'cronfederatedhpas',
  scope: 'Namespaced',
  shortNames: ['cronfhpa'],
  description: 'Scales a workload by the clock.',
  columns: [...reference, age()],
  parts: {
    spec: object({ scaleTargetRef: scaleTarget(), rules: list(cronRule) }, ['scaleTargetRef', 'rules']),
    status: object({
      executionHistories: list(
        object(
          {
            ruleName: string(),
            nextExecutionTime: time(),
            successfulExecutions: history(
              { appliedReplicas: int32(), appliedMaxReplicas: int32(), appliedMinReplicas: int32() },
              [],
            ),
            failedExecutions: history({ message: string() }, ['message']),
          },
          ['ruleName'],
        ),
      ),
    }),
  },
});

/** What scales workloads over members. */
export const autoscalingCrds: readonly CustomResourceDefinition[] = [federatedHpa, cronFederatedHpa];
