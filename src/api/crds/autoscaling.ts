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
  'What is wanted of the metric.',
  object({ type: string('Which of the amounts counts: Utilization, AverageValue or Value.'), ...amounts }, ['type']),
);
const current = about('What is seen of the metric.', object(amounts));

const metric = about(
  'The metric.',
  object(
    { name: string('The name of the metric.'), selector: labelSelector('Which series of the metric, by labels.') },
    ['name'],
  ),
);

const resourceName = string('The resource: cpu or memory.');

/** A metric with what is wanted of it (`target`) or what is seen of it (`current`). */
function metricSource(value: Readonly<Record<string, Schema>>): Schema {
  const holding = (description: string, parts: Readonly<Record<string, Schema>>): Schema =>
    about(description, object({ ...parts, ...value }, [...Object.keys(parts), ...Object.keys(value)]));
  const described = scaleTarget('The object that the metric is about.');
  return object(
    {
      type: string('Which of the sources is set: Object, Pods, Resource, ContainerResource or External.'),
      object: holding('A metric of one object.', { describedObject: described, metric }),
      pods: holding('A metric of each pod.', { metric }),
      resource: holding('What pods use of a resource.', { name: resourceName }),
      containerResource: holding('What one container of each pod uses of a resource.', {
        container: string('The name of the container.'),
        name: resourceName,
      }),
      external: holding('A metric from elsewhere.', { metric }),
    },
    ['type'],
  );
}

const scalingPolicy = object(
  {
    type: string('What value counts: Pods, or Percent of what there is.'),
    value: int32('How much may change within the period.'),
    periodSeconds: int32('The period, in seconds.'),
  },
  ['type', 'value', 'periodSeconds'],
);

const scalingRules = (description: string): Schema =>
  about(
    description,
    object({
      stabilizationWindowSeconds: int32(
        'For how many seconds past wishes are looked at before the number changes. Default 0 for scaleUp.',
      ),
      selectPolicy: string('Which of the policies counts: Max, Min, or Disabled for no change at all. Default Max.'),
      policies: list('How fast the number may change.', scalingPolicy),
      tolerance: about('How far the metric may be off before anything changes, as a share: 0.1.', quantity()),
    }),
  );

const reference = [
  column('REFERENCE-KIND', '.spec.scaleTargetRef.kind'),
  column('REFERENCE-NAME', '.spec.scaleTargetRef.name'),
];

const count = { type: 'integer' } as const;

const federatedHpaSpec = object(
  {
    scaleTargetRef: scaleTarget('The workload that is to be scaled.'),
    minReplicas: int32('The least number of replicas over all members. Default 1.'),
    maxReplicas: int32('The greatest number of replicas over all members.'),
    metrics: list(
      'What the number depends on; the largest wish counts. Default: 80 per cent of the cpu that pods request.',
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
  observedGeneration: int64('The generation of this object that the status speaks of.'),
  lastScaleTime: time('When the number of replicas was changed last.'),
  currentReplicas: int32('How many replicas there are over all members.'),
  desiredReplicas: int32('How many replicas there should be.'),
  currentMetrics: list('What is seen of the metrics.', metricSource({ current })),
  conditions: conditions(),
});

const federatedHpa = crd({
  group,
  kind: 'FederatedHPA',
  plural: 'federatedhpas',
  scope: 'Namespaced',
  shortNames: ['fhpa'],
  description:
    'Says how a workload is to be scaled by metrics of all members. Checked and kept; nothing is scaled by it yet.',
  columns: [
    ...reference,
    column('MINPODS', '.spec.minReplicas', count),
    column('MAXPODS', '.spec.maxReplicas', count),
    column('REPLICAS', '.status.currentReplicas', count),
    age(),
  ],
  parts: {
    spec: about('What is to be scaled, by what, and between which bounds.', federatedHpaSpec),
    status: about('What is seen and wanted. Not filled in yet.', federatedHpaStatus),
  },
});

function history(description: string, parts: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  const properties: Readonly<Record<string, Schema>> = {
    scheduleTime: time('When it was due.'),
    executionTime: time('When it was done.'),
    ...parts,
  };
  return list(description, object(properties, ['scheduleTime', 'executionTime', ...required]));
}

const cronRule = object(
  {
    name: string('The name of the rule, which no other rule here has.', { minLength: 1, maxLength: 32 }),
    schedule: string('When it is due, in five fields as crontab has them: 0 8 * * 1-5.'),
    targetReplicas: int32('The number of replicas for a workload.'),
    targetMinReplicas: int32('The minReplicas for a FederatedHPA.'),
    targetMaxReplicas: int32('The maxReplicas for a FederatedHPA.'),
    suspend: boolean('Whether the rule rests. Default false.', { default: false }),
    timeZone: string('The time zone of the schedule, as Europe/Berlin.'),
    successfulHistoryLimit: int32('How many successes are remembered, from 1 to 32. Default 3.', {
      default: 3,
      minimum: 1,
      maximum: 32,
    }),
    failedHistoryLimit: int32('How many failures are remembered, from 0 to 32. Default 3.', {
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
    nextExecutionTime: time('When it is due next.'),
    successfulExecutions: history(
      'When it succeeded.',
      {
        appliedReplicas: int32('The number of replicas that was set.'),
        appliedMaxReplicas: int32('The maxReplicas that were set.'),
        appliedMinReplicas: int32('The minReplicas that were set.'),
      },
      [],
    ),
    failedExecutions: history('When it failed.', { message: string('Why it failed.') }, ['message']),
  },
  ['ruleName'],
);

const cronFederatedHpa = crd({
  group,
  kind: 'CronFederatedHPA',
  plural: 'cronfederatedhpas',
  scope: 'Namespaced',
  shortNames: ['cronfhpa'],
  description: 'Says how a workload is to be scaled by the clock. Checked and kept; nothing is scaled by it yet.',
  columns: [...reference, age()],
  parts: {
    spec: about(
      'What is to be scaled, and when.',
      object(
        {
          scaleTargetRef: scaleTarget('The workload or the FederatedHPA that is to be scaled.'),
          rules: list('When to scale to which number.', cronRule),
        },
        ['scaleTargetRef', 'rules'],
      ),
    ),
    status: about(
      'What the rules did. Not filled in yet.',
      object({ executionHistories: list('What each rule did, and when it is due next.', ruleHistory) }),
    ),
  },
});

/** Kinds that scale workloads over members. */
export const autoscalingCrds: readonly CustomResourceDefinition[] = [federatedHpa, cronFederatedHpa];
