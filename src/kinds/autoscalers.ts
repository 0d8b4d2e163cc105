import { forbiddenField, invalidValue, nameFaults, notSupported, required } from '../api/index.ts';
import type { FieldError } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import { metricErrors } from './autoscalermetrics.ts';
import type { Draft, Part } from './draft.ts';
import { fill, isUnset, numberOf, ownPart, partOf, partsOf, specOf, textOf } from './part.ts';
import type { Strategy } from './strategy.ts';

/** Defaults and rules of HorizontalPodAutoscalers. */
export const horizontalPodAutoscalers: Strategy = {
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, { minReplicas: 1 });
    if (isObject(spec['behavior'])) defaultBehavior(spec['behavior']);
    if (draft.apiVersion !== 'autoscaling/v2' || partsOf(spec, 'metrics').length > 0) return;
    const target = { type: 'Utilization', averageUtilization: 80 };
    spec['metrics'] = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  },
  prepareCreate(draft) {
    // Go always writes these; the two versions do not agree on which.
    const isV2 = draft.apiVersion === 'autoscaling/v2';
    draft['status'] = isV2 ? { desiredReplicas: 0, currentMetrics: null } : { currentReplicas: 0, desiredReplicas: 0 };
  },
  validate: autoscalerErrors,
};

/** Fills in the rest of a scaling behaviour that is written in part. */
function defaultBehavior(behavior: Part): void {
  const twice = { type: 'Percent', value: 100, periodSeconds: 15 };
  const four = { type: 'Pods', value: 4, periodSeconds: 15 };
  const up = { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: () => [four, { ...twice }] };
  fill(ownPart(behavior, 'scaleUp'), up);
  fill(ownPart(behavior, 'scaleDown'), { selectPolicy: 'Max', policies: () => [twice] });
}

function autoscalerErrors(draft: Draft): FieldError[] {
  const spec = specOf(draft);
  return [
    ...boundErrors(spec),
    ...targetErrors(partOf(spec, 'scaleTargetRef'), 'spec.scaleTargetRef'),
    ...utilizationErrors(spec),
    ...partsOf(spec, 'metrics').flatMap((metric, i) => metricErrors(metric, `spec.metrics[${i}]`)),
    ...sleepErrors(spec),
    ...['scaleUp', 'scaleDown'].flatMap((way) => ruleErrors(partOf(spec, 'behavior')[way], `spec.behavior.${way}`)),
  ];
}

function boundErrors(spec: Part): FieldError[] {
  const [least, most] = [numberOf(spec, 'minReplicas') ?? 1, numberOf(spec, 'maxReplicas') ?? 0];
  const errors: FieldError[] = [];
  if (least < 1) errors.push(invalidValue('spec.minReplicas', least, 'must be greater than or equal to 1'));
  if (most < 1) errors.push(invalidValue('spec.maxReplicas', most, 'must be greater than 0'));
  if (most < least) {
    errors.push(invalidValue('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'));
  }
  return errors;
}

/** The errors of a reference to an object that is scaled, or measured. */
function targetErrors(reference: Part, path: string): FieldError[] {
  return [
    ...['kind', 'name'].flatMap((name) => segmentErrors(reference, name, path)),
    ...groupErrors(reference, `${path}.apiVersion`),
  ];
}

function segmentErrors(part: Part, name: string, path: string): FieldError[] {
  const text = textOf(part, name);
  if (text === '') return [required(`${path}.${name}`)];
  return nameFaults('segment', text, false).map((fault) => invalidValue(`${path}.${name}`, text, fault));
}

/** The errors of a group: in the core group only replication controllers can be scaled. */
function groupErrors(reference: Part, field: string): FieldError[] {
  const apiVersion = textOf(reference, 'apiVersion');
  const [, version, ...more] = apiVersion.split('/');
  if (more.length > 0) return [invalidValue(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  if (version !== undefined || textOf(reference, 'kind') === 'ReplicationController') return [];
  return [invalidValue(field, apiVersion, 'apiVersion must specify API group')];
}

/** The errors of the target utilization, which autoscaling/v1 has instead of metrics; the messages are those of the metric. */
function utilizationErrors(spec: Part): FieldError[] {
  const share = numberOf(spec, 'targetCPUUtilizationPercentage');
  if (share === undefined || share > 0) return [];
  return [invalidValue('spec.metrics[0].resource.target.averageUtilization', share, 'must be greater than 0')];
}

/** Nothing that runs no pods can be woken by what its pods do. */
function sleepErrors(spec: Part): FieldError[] {
  if (numberOf(spec, 'minReplicas') !== 0) return [];
  if (partsOf(spec, 'metrics').some(({ type }) => type === 'Object' || type === 'External')) return [];
  const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [forbiddenField('spec.metrics', detail)];
}

const longestWindow = 3600;
const longestPeriod = 1800;
const policyTypes = ['Percent', 'Pods'];
const choices = ['Disabled', 'Max', 'Min'];

function ruleErrors(rules: unknown, path: string): FieldError[] {
  if (!isObject(rules)) return [];
  const policies = partsOf(rules, 'policies');
  const choice = textOf(rules, 'selectPolicy');
  return [
    ...windowErrors(numberOf(rules, 'stabilizationWindowSeconds') ?? 0, `${path}.stabilizationWindowSeconds`),
    ...(isUnset(rules, 'selectPolicy') || choices.includes(choice)
      ? []
      : [notSupported(`${path}.selectPolicy`, choice, choices)]),
    ...(policies.length > 0 ? [] : [required(`${path}.policies`, 'must specify at least one Policy')]),
    ...policies.flatMap((policy, i) => policyErrors(policy, `${path}.policies[${i}]`)),
  ];
}

function windowErrors(seconds: number, field: string): FieldError[] {
  if (seconds < 0) return [invalidValue(field, seconds, 'must be greater than or equal to zero')];
  if (seconds <= longestWindow) return [];
  return [invalidValue(field, seconds, `must be less than or equal to ${longestWindow}`)];
}

function policyErrors(policy: Part, path: string): FieldError[] {
  const type = textOf(policy, 'type');
  const period = numberOf(policy, 'periodSeconds') ?? 0;
  const positive = (name: string): FieldError[] => {
    const value = numberOf(policy, name) ?? 0;
    return value > 0 ? [] : [invalidValue(`${path}.${name}`, value, 'must be greater than zero')];
  };
  return [
    ...(policyTypes.includes(type) ? [] : [notSupported(`${path}.type`, type, policyTypes)]),
    ...positive('value'),
    ...positive('periodSeconds'),
    ...(period > longestPeriod
      ? [invalidValue(`${path}.periodSeconds`, period, `must be less than or equal to ${longestPeriod}`)]
      : []),
  ];
}
