import type { CustomResourceDefinition } from '../crd.ts';
import type { Schema } from '../schema.ts';
import { about, age, boolean, column, crd, int32, int64, list, object, string, time } from './build.ts';
import { conditions, labelSelector, quantity, scaleTarget } from './kubernetes.ts';

const group = 'autoscaling.karmada.io';

const amounts = {
  averageUtilization: int32('The average over all pods, in per cent of what they request.'),
  averageValue: about('The average over all pods, as an amount.', quantity()),
  value: about('The whole, as an amount.', quantity()),
};

const target = about(
  'The target of the metric.',
  object({ type: string('The amount that counts: Utilization, AverageValue or Value.'), ...amounts }, ['type']),
);
const current = about('The present value of the metric.', object(amounts));

const metric = about(
  'The metric.',
  object(
    { name: string('The name of the metric.'), selector: labelSelector('Selects series of the metric by labels.') },
    ['name'],
  ),
);

const resourceName = string('The resource: cpu or memory.');

/** A metric with what is wanted of it (`target`) or what is seen of it (`current`). */
function metricSource(value: Readonly<Record<string, Schema>>): Schema {
  const valuesOf = (description: string, parts: Readonly<Record<string, Schema>>): Schema =>
    about(description, object({ ...parts, ...value }, [...Object.keys(parts), ...Object.keys(value)]));
  const described = scaleTarget('The object of the metric.');
  return object(
    {
      type: string('The source that is set: Object, Pods, Resource, ContainerResource or External.'),
      object: valuesOf('A metric of one object.', { describedObject: described, metric }),
      pods: valuesOf('A metric of each pod.', { metric }),
      resource: valuesOf('The use of a resource by pods.', { name: resourceName }),
      containerResource: valuesOf('The use of a resource by one container of each pod.', {
        container: string('The name of the container.'),
        name: resourceName,
      }),
      external: valuesOf('A metric from outside the cluster.', { metric }),
    },
    ['type'],
  );
}

const scalingPolicy = object(
  {
    type: string('The unit of value: Pods, or Percent of the present number.'),
    value: int32('The greatest change within the period.'),
    periodSeconds: int32('The period, in seconds.'),
  },
  ['type', 'value', 'periodSeconds'],
);

const scalingRules = (description: string): Schema =>
  about(
    description,
    object({
      stabilizationWindowSeconds: int32(
        'The number of seconds for which past recommendations are considered before the number changes. Default 0 for scaleUp.',
      ),
      selectPolicy: string('The policy that counts: Max, Min, or Disabled for no change at all. Default Max.'),
      policies: list('How fast the number may change.', scalingPolicy),
      tolerance: about('The deviation of the metric that is tolerated, as a share: 0.1.', quantity()),
    }),
  );

const reference = [
  column('REFERENCE-KIND', '.spec.scaleTargetRef.kind'),
  column('REFERENCE-NAME', '.spec.scaleTargetRef.name'),
];

const count = { type: 'integer' } as const;

const federatedHpaSpec = object(
  {
    scaleTargetRef: scaleTarget('The workload to scale.'),
    minReplicas: int32('The least number of replicas over all members. Default 1.'),
    maxReplicas: int32('The greatest number of replicas over all members.'),
    metrics: list(
      'The metrics on which the number depends; the largest result counts. Default: 80 per cent of the cpu that pods request.',
      metricSource({ target }),
    ),
    behavior: about(
      'How fast the number may change.',
      object({ scaleUp: scalingRules('How fast it may grow.'), scaleDown: scalingRules('How fast it may shrink.') }),
    ),
  },
  ['scaleTargetRef', 'maxReplicas'],
);

const federatedHpaStatus = object({
  observedGeneration: int64('The generation of this object that the status reflects.'),
  lastScaleTime: time('The time of the last change of the number of replicas.'),
  currentReplicas: int32('The number of replicas over all members.'),
  desiredReplicas: int32('The desired number of replicas.'),
  currentMetrics: list('The present values of the metrics.', metricSource({ current })),
  conditions: conditions(),
});

const federatedHpa = crd({
  group,
  kind: 'FederatedHPA',
  plural: 'federatedhpas',
  scope: 'Namespaced',
  shortNames: ['fhpa'],
  description: 'Scales a workload by metrics of all members. Validated and stored; nothing is scaled by it yet.',
  columns: [
    ...reference,
    column('MINPODS', '.spec.minReplicas', count),
    column('MAXPODS', '.spec.maxReplicas', count),
    column('REPLICAS', '.status.currentReplicas', count),
    age(),
  ],
  parts: {
    spec: about('The workload to scale, the metrics, and the bounds.', federatedHpaSpec),
    status: about('The present and the desired state. Not filled in yet.', federatedHpaStatus),
  },
});

function history(description: string, parts: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  const properties: Readonly<Record<string, Schema>> = {
    scheduleTime: time('The time when it was due.'),
    executionTime: time('The time when it was done.'),
    ...parts,
  };
  return list(description, object(properties, ['scheduleTime', 'executionTime', ...required]));
}

const cronRule = object(
  {
    name: string('The name of the rule, unique in this object.', { minLength: 1, maxLength: 32 }),
    schedule: string('The schedule in the five fields of crontab, for example 0 8 * * 1-5.'),
    targetReplicas: int32('The number of replicas for a workload.'),
    targetMinReplicas: int32('The minReplicas for a FederatedHPA.'),
    targetMaxReplicas: int32('The maxReplicas for a FederatedHPA.'),
    suspend: boolean('Suspends the rule. Default false.', { default: false }),
    timeZone: string('The time zone of the schedule, for example Europe/Berlin.'),
    successfulHistoryLimit: int32('The number of successes to keep, from 1 to 32. Default 3.', {
      default: 3,
      minimum: 1,
      maximum: 32,
    }),
    failedHistoryLimit: int32('The number of failures to keep, from 0 to 32. Default 3.', {
      default: 3,
      minimum: 0,
      maximum: 32,
    }),
  },
  ['name', 'schedule'],
);

const ruleHistory = object(
  {
    ruleName: string('The name of the rule.'),
    nextExecutionTime: time('The time when it is due next.'),
    successfulExecutions: history(
      'The last successes.',
      {
        appliedReplicas: int32('The number of replicas that was set.'),
        appliedMaxReplicas: int32('The maxReplicas that were set.'),
        appliedMinReplicas: int32('The minReplicas that were set.'),
      },
      [],
    ),
    failedExecutions: history('The last failures.', { message: string('The reason of the failure.') }, ['message']),
  },
  ['ruleName'],
);

const cronFederatedHpa = crd({
  group,
  kind: 'CronFederatedHPA',
  plural: 'cronfederatedhpas',
  scope: 'Namespaced',
  shortNames: ['cronfhpa'],
  description: 'Scales a workload by a schedule. Validated and stored; nothing is scaled by it yet.',
  columns: [...reference, age()],
  parts: {
    spec: about(
      'The workload to scale, and the schedule.',
      object(
        {
          scaleTargetRef: scaleTarget('The workload or the FederatedHPA to scale.'),
          rules: list('The rules: at which time to scale to which number.', cronRule),
        },
        ['scaleTargetRef', 'rules'],
      ),
    ),
    status: about(
      'The results of the rules. Not filled in yet.',
      object({ executionHistories: list('The results of each rule, and when it is due next.', ruleHistory) }),
    ),
  },
});

/** Kinds that scale workloads over members. */
export const autoscalingCrds: readonly CustomResourceDefinition[] = [federatedHpa, cronFederatedHpa];
