import type { KubeObject } from '../../api/index.ts';
import { humanDuration, since } from './age.ts';
import { ageColumn, type CellColumn, column, integer, nameColumn, wide } from './column.ts';
import { formatLabels, formatSelector } from './labels.ts';
import { at, flag, given, list, number, text } from './read.ts';

/** The API server fills in one replica where none is written. */
const desired = (object: KubeObject): number => number(object, 'spec.replicas', 1);

function containers(template: string): readonly CellColumn[] {
  const all = (object: KubeObject, key: string): string =>
    list(object, `${template}.spec.containers`)
      .map((container) => text(container, key))
      .join(',');
  return [column('Containers', (object) => all(object, 'name')), column('Images', (object) => all(object, 'image'))];
}

const wideSelector = wide(column('Selector', (object) => formatSelector(at(object, 'spec.selector'))));

const replicas: readonly CellColumn[] = [
  nameColumn,
  integer('Desired', desired),
  integer('Current', (object) => number(object, 'status.replicas')),
  integer('Ready', (object) => number(object, 'status.readyReplicas')),
  ageColumn,
  ...containers('spec.template').map(wide),
];

const readyOfDesired = column('Ready', (object) => `${number(object, 'status.readyReplicas')}/${desired(object)}`);

function jobStatus(job: KubeObject): string {
  const isTrue = (type: string): boolean =>
    list(job, 'status.conditions').some((one) => text(one, 'type') === type && text(one, 'status') === 'True');
  const ended = ['Complete', 'Failed'].find(isTrue);
  if (ended) return ended;
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(isTrue) ?? 'Running';
}

function completions(job: KubeObject): string {
  const succeeded = number(job, 'status.succeeded');
  const wanted = at(job, 'spec.completions');
  if (typeof wanted === 'number') return `${succeeded}/${wanted}`;
  const parallelism = number(job, 'spec.parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: KubeObject, now: number): string {
  const start = text(job, 'status.startTime');
  if (!start) return '';
  const end = text(job, 'status.completionTime');
  return humanDuration((end ? Date.parse(end) : now) - Date.parse(start));
}

function lastSchedule(cronJob: KubeObject, now: number): string {
  const last = text(cronJob, 'status.lastScheduleTime');
  return last ? since(last, now) : '<none>';
}

function revisionOwner({ metadata }: KubeObject): string {
  const owner = metadata.ownerReferences?.find((one) => one.controller === true);
  if (!owner) return '<none>';
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0] ?? ''}` : '';
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`;
}

const count = (name: string, path: string): CellColumn => integer(name, (object) => number(object, path));

/** Columns of the kinds that run pods, by group and plural. */
export const workloadColumns: Readonly<Record<string, readonly CellColumn[]>> = {
  'apps/deployments': [
    nameColumn,
    readyOfDesired,
    column('Up-to-date', (object) => number(object, 'status.updatedReplicas')),
    column('Available', (object) => number(object, 'status.availableReplicas')),
    ageColumn,
    ...containers('spec.template').map(wide),
    wide(column('Selector', (object) => formatSelector(at(object, 'spec.selector'), ''))),
  ],
  'apps/replicasets': [...replicas, wideSelector],
  '/replicationcontrollers': [
    ...replicas,
    wide(column('Selector', (object) => formatLabels(at(object, 'spec.selector')))),
  ],
  'apps/statefulsets': [nameColumn, readyOfDesired, ageColumn, ...containers('spec.template').map(wide)],
  'apps/daemonsets': [
    nameColumn,
    count('Desired', 'status.desiredNumberScheduled'),
    count('Current', 'status.currentNumberScheduled'),
    count('Ready', 'status.numberReady'),
    count('Up-to-date', 'status.updatedNumberScheduled'),
    count('Available', 'status.numberAvailable'),
    column('Node Selector', (object) => formatLabels(at(object, 'spec.template.spec.nodeSelector'))),
    ageColumn,
    ...containers('spec.template').map(wide),
    wideSelector,
  ],
  'apps/controllerrevisions': [
    nameColumn,
    column('Controller', revisionOwner),
    column('Revision', (object) => number(object, 'revision')),
    ageColumn,
  ],
  'batch/jobs': [
    nameColumn,
    column('Status', jobStatus),
    column('Completions', completions),
    column('Duration', jobDuration),
    ageColumn,
    ...containers('spec.template').map(wide),
    wideSelector,
  ],
  'batch/cronjobs': [
    nameColumn,
    column('Schedule', (object) => text(object, 'spec.schedule')),
    column('Timezone', (object) => given(object, 'spec.timeZone', '<none>')),
    // A boolean that the API server has always shown as a capitalised word.
    { ...column('Suspend', (object) => (flag(object, 'spec.suspend') ? 'True' : 'False')), type: 'boolean' },
    integer('Active', (object) => list(object, 'status.active').length),
    column('Last Schedule', lastSchedule),
    ageColumn,
    ...containers('spec.jobTemplate.spec.template').map(wide),
    wide(column('Selector', (object) => formatSelector(at(object, 'spec.jobTemplate.spec.selector')))),
  ],
  '/podtemplates': [
    nameColumn,
    ...containers('template'),
    column('Pod Labels', (object) => formatLabels(at(object, 'template.metadata.labels'))),
  ],
  'policy/poddisruptionbudgets': [
    nameColumn,
    column('Min Available', (object) => text(object, 'spec.minAvailable', 'N/A')),
    column('Max Unavailable', (object) => text(object, 'spec.maxUnavailable', 'N/A')),
    count('Allowed Disruptions', 'status.disruptionsAllowed'),
    ageColumn,
  ],
};
