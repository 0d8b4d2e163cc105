import { metricSpecToV1, metricSpecToV2, metricStatusToV1, metricStatusToV2 } from './autoscaler-metrics.ts';
import { type Bag, bag, bags, present } from './rename.ts';

/** Where autoscaling/v1 keeps what it has no fields for. */
const annotationKeys = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
} as const;

/** The utilization that autoscaling/v1 means when it names no metric at all. */
const defaultUtilization = 80;

/** An autoscaler of autoscaling/v2 as autoscaling/v1 shows it; metrics, conditions and behavior go to annotations. */
export function autoscalerToV1(object: Bag): Bag {
  const spec = bag(object['spec']);
  const status = object['status'] === undefined ? undefined : bag(object['status']);
  const metrics = bags(spec['metrics']);
  const others = metrics.filter((metric) => cpuUtilization(metric, 'target') === undefined);
  const current = bags(status?.['currentMetrics']);
  const annotations = {
    ...withoutOurs(bag(object['metadata'])['annotations']),
    ...encoded(annotationKeys.metrics, others.map(metricSpecToV1)),
    ...encoded(annotationKeys.currentMetrics, current.map(metricStatusToV1)),
    ...encoded(annotationKeys.conditions, bags(status?.['conditions'])),
    ...(spec['behavior'] !== undefined && {
      [annotationKeys.behavior]: JSON.stringify(recase(spec['behavior'], upperFirst)),
    }),
  };
  return present({
    ...object,
    metadata: withAnnotations(object, annotations),
    spec: specV1(spec, metrics),
    status: status && statusV1(status, current),
  });
}

/** An autoscaler of autoscaling/v1 as autoscaling/v2 shows it, with what the annotations hold back in its fields. */
export function autoscalerToV2(object: Bag): Bag {
  const annotations = bag(bag(object['metadata'])['annotations']);
  const spec = bag(object['spec']);
  const status = object['status'] === undefined ? undefined : bag(object['status']);
  const found = [...decoded(annotations[annotationKeys.metrics]).map(metricSpecToV2), ...ownMetric(spec)];
  const behavior = bag(parse(annotations[annotationKeys.behavior]));
  return present({
    ...object,
    metadata: withAnnotations(object, withoutOurs(annotations)),
    spec: present({
      scaleTargetRef: spec['scaleTargetRef'],
      minReplicas: spec['minReplicas'],
      maxReplicas: spec['maxReplicas'],
      metrics: found.length > 0 ? found : [cpuMetric('target', defaultUtilization)],
      behavior: Object.keys(behavior).length > 0 ? recase(behavior, lowerFirst) : undefined,
    }),
    status: status && statusV2(status, annotations),
  });
}

function specV1(spec: Bag, metrics: readonly Bag[]): Bag {
  return present({
    scaleTargetRef: spec['scaleTargetRef'],
    minReplicas: spec['minReplicas'],
    maxReplicas: spec['maxReplicas'],
    targetCPUUtilizationPercentage: metrics.map((metric) => cpuUtilization(metric, 'target')).find(isDefined),
  });
}

function statusV1(status: Bag, current: readonly Bag[]): Bag {
  return present({
    ...counts(status),
    currentCPUUtilizationPercentage: current.map((metric) => cpuUtilization(metric, 'current')).findLast(isDefined),
  });
}

function statusV2(status: Bag, annotations: Bag): Bag {
  const kept = parse(annotations[annotationKeys.currentMetrics]);
  const cpu = status['currentCPUUtilizationPercentage'];
  const own = cpu === undefined ? undefined : [cpuMetric('current', cpu)];
  return present({
    ...counts(status),
    currentMetrics: Array.isArray(kept) ? bags(kept).map(metricStatusToV2) : own,
    conditions: parse(annotations[annotationKeys.conditions]),
  });
}

function counts(status: Bag): Bag {
  const { observedGeneration, lastScaleTime, currentReplicas, desiredReplicas } = status;
  return { observedGeneration, lastScaleTime, currentReplicas, desiredReplicas };
}

function ownMetric(spec: Bag): readonly Bag[] {
  const target = spec['targetCPUUtilizationPercentage'];
  return target === undefined ? [] : [cpuMetric('target', target)];
}

function cpuMetric(part: 'target' | 'current', utilization: unknown): Bag {
  const value =
    part === 'target' ? { type: 'Utilization', averageUtilization: utilization } : { averageUtilization: utilization };
  return { type: 'Resource', resource: { name: 'cpu', [part]: value } };
}

function cpuUtilization(metric: Bag, part: 'target' | 'current'): unknown {
  const resource = bag(metric['resource']);
  if (metric['type'] !== 'Resource' || resource['name'] !== 'cpu') return undefined;
  return bag(resource[part])['averageUtilization'];
}

function withAnnotations(object: Bag, annotations: Bag): Bag {
  const metadata = bag(object['metadata']);
  return present({ ...metadata, annotations: Object.keys(annotations).length > 0 ? annotations : undefined });
}

function withoutOurs(annotations: unknown): Bag {
  const ours: readonly string[] = Object.values(annotationKeys);
  return Object.fromEntries(Object.entries(bag(annotations)).filter(([key]) => !ours.includes(key)));
}

function encoded(key: string, list: readonly Bag[]): Bag {
  return list.length > 0 ? { [key]: JSON.stringify(list) } : {};
}

function decoded(text: unknown): readonly Bag[] {
  return bags(parse(text));
}

/** An annotation that a user wrote need not be JSON; then it counts as absent. */
function parse(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The behavior annotation spells its keys with a capital; nulls in it mean absent. */
function recase(value: unknown, change: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => recase(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([key, member]) => [change(key), recase(member, change)]));
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function isDefined(value: unknown): boolean {
  return value !== undefined;
}
