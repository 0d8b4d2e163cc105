import { lookup } from '../../base/index.ts';
import { convertObject, type KubeObject } from '../../api/index.ts';
import { ageColumn, type CellColumn, column, integer, nameColumn } from './column.ts';
import { type ReadonlyPart, at, list, number, text } from './read.ts';

const sources: Readonly<Record<string, string>> = lookup({
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
});

/** `current/target` of one metric: resources by their name and in percent, averages of others marked as such. */
function metricText(spec: ReadonlyPart, status: ReadonlyPart | undefined): string {
  const source = sources[text(spec, 'type')];
  if (!source) return '<unknown type>';
  const target = at(spec, `${source}.target`);
  const current = at(status, `${source}.current`);
  if (source === 'resource' || source === 'containerResource') {
    return `${text(spec, `${source}.name`)}: ${utilisation(target, current)}`;
  }
  const isAverage = text(target, 'averageValue') !== '';
  const key = isAverage ? 'averageValue' : 'value';
  const mark = isAverage && source !== 'pods' ? ' (avg)' : '';
  return `${text(current, key, '<unknown>')}/${text(target, key, '0')}${mark}`;
}

function utilisation(target: unknown, current: unknown): string {
  const value = text(target, 'averageValue');
  if (value) return `${text(current, 'averageValue', '<unknown>')}/${value}`;
  return `${percent(current, '<unknown>')}/${percent(target, '<auto>')}`;
}

function percent(value: unknown, fallback: string): string {
  const utilization = at(value, 'averageUtilization');
  return typeof utilization === 'number' ? `${utilization}%` : fallback;
}

function targets(autoscaler: KubeObject): string {
  const current = convertObject(autoscaler, 'autoscaling/v2');
  const statuses = list(current, 'status.currentMetrics');
  const all = list(current, 'spec.metrics').map((spec, i) => metricText(spec, statuses[i]));
  if (all.length === 0) return '<none>';
  const shown = all.slice(0, 2).join(', ');
  return all.length > 2 ? `${shown} + ${all.length - 2} more...` : shown;
}

/** Columns of autoscalers, the same in both versions. */
export const autoscalerColumns: readonly CellColumn[] = [
  nameColumn,
  column(
    'Reference',
    (object) => `${text(object, 'spec.scaleTargetRef.kind')}/${text(object, 'spec.scaleTargetRef.name')}`,
  ),
  column('Targets', targets),
  column('MinPods', (object) => text(object, 'spec.minReplicas', '<unset>')),
  column('MaxPods', (object) => number(object, 'spec.maxReplicas')),
  column('Replicas', (object) => number(object, 'status.currentReplicas')),
  ageColumn,
];

/** The columns of the subresource scale, of whatever kind. */
export const scaleColumns: readonly CellColumn[] = [
  nameColumn,
  integer('Desired', (scale) => number(scale, 'spec.replicas')),
  integer('Available', (scale) => number(scale, 'status.replicas')),
  ageColumn,
];
