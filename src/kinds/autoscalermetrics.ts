import { forbiddenField, invalidValue, nameFaults, notSupported, quantity, required } from '../api/index.ts';
import type { FieldError } from '../api/index.ts';
import { isObject, lookup } from '../base/index.ts';
import type { Part } from './draft.ts';
import { isUnset, numberOf, partOf, textOf } from './part.ts';

/** Where a metric of each type stands, and what is wrong with it. */
const sources: Readonly<Record<string, { readonly field: string; errors(source: Part, path: string): FieldError[] }>> =
  lookup({
    ContainerResource: {
      field: 'containerResource',
      errors: (source, path) => [
        ...(isUnset(source, 'container') ? [required(`${path}.container`, 'must specify a container')] : []),
        ...resourceErrors(source, path),
      ],
    },
    External: { field: 'external', errors: externalErrors },
    Object: { field: 'object', errors: objectErrors },
    Pods: { field: 'pods', errors: podsErrors },
    Resource: { field: 'resource', errors: resourceErrors },
  });

/** The errors of one metric of an autoscaler; `path` is where it stands. */
export function metricErrors(metric: Part, path: string): FieldError[] {
  const type = textOf(metric, 'type');
  const source = sources[type];
  const present = Object.values(sources).filter(({ field }) => isObject(metric[field]));
  if (!source) return typeErrors(type, `${path}.type`);
  const missing = !isObject(metric[source.field]);
  const only = present.length === 1 ? present[0] : undefined;
  return [
    ...(only ? only.errors(partOf(metric, only.field), `${path}.${only.field}`) : []),
    ...(missing ? [required(`${path}.${source.field}`, 'must populate information for the given metric source')] : []),
    ...(present.length === 1
      ? []
      : present
          .filter((one) => one !== source)
          .map(({ field }) => forbiddenField(`${path}.${field}`, 'must populate the given metric source only'))),
  ];
}

/** Kubernetes looks twice, and says so twice. */
function typeErrors(type: string, field: string): FieldError[] {
  const unknown = notSupported(field, type, Object.keys(sources));
  return type === '' ? [required(field, 'must specify a metric source type'), unknown, unknown] : [unknown, unknown];
}

function resourceErrors(source: Part, path: string): FieldError[] {
  const target = partOf(source, 'target');
  const [share, amount] = [!isUnset(target, 'averageUtilization'), !isUnset(target, 'averageValue')];
  const neither = 'must set either a target raw value or a target utilization';
  const both = 'may not set both a target raw value and a target utilization';
  return [
    ...(isUnset(source, 'name') ? [required(`${path}.name`, 'must specify a resource name')] : []),
    ...targetErrors(target, `${path}.target`),
    ...(share || amount ? [] : [required(`${path}.target.averageUtilization`, neither)]),
    ...(share && amount ? [forbiddenField(`${path}.target.averageValue`, both)] : []),
  ];
}

function objectErrors(source: Part, path: string): FieldError[] {
  const target = partOf(source, 'target');
  const described = partOf(source, 'describedObject');
  const detail = 'must set either a target value or averageValue';
  return [
    ...['kind', 'name'].flatMap((name) => segmentErrors(described, name, { path: `${path}.describedObject` })),
    ...identifierErrors(source, path),
    ...targetErrors(target, `${path}.target`),
    ...(isUnset(target, 'value') && isUnset(target, 'averageValue')
      ? [required(`${path}.target.averageValue`, detail)]
      : []),
  ];
}

function externalErrors(source: Part, path: string): FieldError[] {
  const target = partOf(source, 'target');
  const [whole, each] = [!isUnset(target, 'value'), !isUnset(target, 'averageValue')];
  const neither = 'must set either a target value for metric or a per-pod target';
  const both = 'may not set both a target value for metric and a per-pod target';
  return [
    ...identifierErrors(source, path),
    ...targetErrors(target, `${path}.target`),
    ...(whole || each ? [] : [required(`${path}.target.averageValue`, neither)]),
    ...(whole && each ? [forbiddenField(`${path}.target.value`, both)] : []),
  ];
}

function podsErrors(source: Part, path: string): FieldError[] {
  const target = partOf(source, 'target');
  const isFine = (quantity(target['averageValue']) ?? 0) > 0;
  return [
    ...identifierErrors(source, path),
    ...targetErrors(target, `${path}.target`),
    ...(isFine ? [] : [required(`${path}.target.averageValue`, 'must specify a positive target averageValue')]),
  ];
}

function identifierErrors(source: Part, path: string): FieldError[] {
  const missing = 'must specify a metric name';
  return segmentErrors(partOf(source, 'metric'), 'name', { path: `${path}.metric`, missing });
}

function segmentErrors(part: Part, name: string, where: { path: string; missing?: string }): FieldError[] {
  const text = textOf(part, name);
  const field = `${where.path}.${name}`;
  if (text === '') return [required(field, where.missing)];
  return nameFaults('segment', text, false).map((fault) => invalidValue(field, text, fault));
}

const targetTypes: ReadonlySet<string> = new Set(['Utilization', 'Value', 'AverageValue']);

function targetErrors(target: Part, path: string): FieldError[] {
  const type = textOf(target, 'type');
  const share = numberOf(target, 'averageUtilization');
  const unknown = 'must be either Utilization, Value, or AverageValue';
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric target type')] : []),
    ...(targetTypes.has(type) ? [] : [invalidValue(`${path}.type`, type, unknown)]),
    ...['value', 'averageValue'].flatMap((name) => positiveErrors(target, name, path)),
    ...(share === undefined || share > 0
      ? []
      : [invalidValue(`${path}.averageUtilization`, share, 'must be greater than 0')]),
  ];
}

function positiveErrors(target: Part, name: string, path: string): FieldError[] {
  if (isUnset(target, name) || (quantity(target[name]) ?? 1) > 0) return [];
  return [invalidValue(`${path}.${name}`, String(target[name]), 'must be positive')];
}
