import { isObject } from '../../base/index.ts';
import { update } from './update.ts';

const cpuAtEighty = [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
];
const double = { type: 'Percent', value: 100, periodSeconds: 15 };
const fourMore = { type: 'Pods', value: 4, periodSeconds: 15 };
const scaleUp = { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [fourMore, double] };
const scaleDown = { selectPolicy: 'Max', policies: [double] };

/** FederatedHPA: the defaults of a HorizontalPodAutoscaler. */
export function mutateFederatedHpa<T>(autoscaler: T): T {
  const counted = update(autoscaler, ['spec'], (spec) => {
    if (!isObject(spec)) return spec;
    const { minReplicas, metrics } = spec;
    const measured = Array.isArray(metrics) ? metrics.length > 0 : metrics !== undefined && metrics !== null;
    if (measured && minReplicas !== undefined) return spec;
    return { ...spec, minReplicas: minReplicas ?? 1, metrics: measured ? metrics : cpuAtEighty };
  });
  return update(counted, ['spec', 'behavior'], (behavior) => {
    if (!isObject(behavior)) return behavior;
    const up = filled(behavior['scaleUp'], scaleUp);
    const down = filled(behavior['scaleDown'], scaleDown);
    return up === behavior['scaleUp'] && down === behavior['scaleDown']
      ? behavior
      : { ...behavior, scaleUp: up, scaleDown: down };
  });
}

function filled(rules: unknown, defaults: Readonly<Record<string, unknown>>): unknown {
  if (rules === undefined || rules === null) return defaults;
  if (!isObject(rules)) return rules;
  const missing = Object.keys(defaults).filter((name) => rules[name] === undefined || rules[name] === null);
  if (missing.length === 0) return rules;
  return { ...rules, ...Object.fromEntries(missing.map((name) => [name, defaults[name]])) };
}
