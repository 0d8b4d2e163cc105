import { invalidValue, notSupported, required, cronFault } from '../api/index.ts';
import type { FieldError, KubeObject } from '../api/index.ts';
import { equal, isObject } from '../base/index.ts';
import type { Draft, Part } from './draft.ts';
import { labelSelectorErrors } from './labelselector.ts';
import { fill, isUnset, ownPart, partOf, specOf, textOf } from './part.ts';
import { defaultTemplate } from './poddefaults.ts';
import { choiceErrors, podSpecErrors } from './podvalidate.ts';
import type { Strategy } from './strategy.ts';
import { countErrors, immutableErrors } from './workload.ts';

const controllerUid = 'batch.kubernetes.io/controller-uid';
const jobName = 'batch.kubernetes.io/job-name';
const mostInt32 = 2_147_483_647;
const longestCronJobName = 52;

const jobs: Strategy = {
  generation: true,
  defaults: (draft) => defaultJobSpec(ownPart(draft, 'spec')),
  prepareCreate(draft) {
    labelPods(draft);
    labelJob(draft);
  },
  validate: (draft) => [
    ...jobSpecErrors(specOf(draft), 'spec'),
    ...countErrors(draft, ['parallelism', 'completions', 'backoffLimit', 'activeDeadlineSeconds']),
  ],
  validateUpdate: (draft, old) => [
    ...immutableErrors(draft, old, ['selector', 'completionMode']),
    ...templateChangeErrors(draft, old),
    ...completionChangeErrors(draft, old),
  ],
};

function defaultJobSpec(spec: Part): void {
  const neither = isUnset(spec, 'completions') && isUnset(spec, 'parallelism');
  if (neither) fill(spec, { completions: 1 });
  const perIndex = !isUnset(spec, 'backoffLimitPerIndex');
  fill(spec, {
    parallelism: 1,
    backoffLimit: perIndex ? mostInt32 : 6,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: isUnset(spec, 'podFailurePolicy') ? 'TerminatingOrFailed' : 'Failed',
  });
  defaultTemplate(spec);
}

/** A job finds its pods by its own uid unless the author chose a selector by hand. */
function labelPods(draft: Draft): void {
  const spec = ownPart(draft, 'spec');
  if (spec['manualSelector'] === true || !isObject(spec['template'])) return;
  const { uid = '', name } = draft.metadata;
  const labels = ownPart(ownPart(ownPart(spec, 'template'), 'metadata'), 'labels');
  fill(labels, { [jobName]: name, 'job-name': name, [controllerUid]: uid, 'controller-uid': uid });
  if (isUnset(spec, 'selector')) spec['selector'] = { matchLabels: { [controllerUid]: uid } };
  if (Object.keys(draft.metadata.labels ?? {}).length === 0) {
    draft.metadata.labels = { ...(labels as Readonly<Record<string, string>>) };
  }
}

/** A job without labels is labelled like its pods. */
function labelJob(draft: Draft): void {
  if (Object.keys(draft.metadata.labels ?? {}).length > 0) return;
  const labels = partOf(partOf(specOf(draft), 'template'), 'metadata')['labels'];
  if (isObject(labels)) draft.metadata.labels = { ...labels } as Record<string, string>;
}

function jobSpecErrors(spec: Part, path: string): FieldError[] {
  const pod = partOf(partOf(spec, 'template'), 'spec');
  return [
    ...labelSelectorErrors(partOf(spec, 'selector'), `${path}.selector`),
    ...podSpecErrors(pod, `${path}.template.spec`),
    ...restartErrors(textOf(pod, 'restartPolicy'), `${path}.template.spec.restartPolicy`),
  ];
}

function restartErrors(policy: string, field: string): FieldError[] {
  if (policy === 'OnFailure' || policy === 'Never') return [];
  if (policy === '' || policy === 'Always') return [required(field, 'valid values: "OnFailure", "Never"')];
  return [notSupported(field, policy, ['OnFailure', 'Never'])];
}

/** While a job is suspended and has never run, schedulers may still place it. */
function templateChangeErrors(draft: Draft, old: KubeObject): FieldError[] {
  const idle = specOf(old)['suspend'] === true && partOf(old, 'status')['startTime'] === undefined;
  return idle ? [] : immutableErrors(draft, old, ['template']);
}

/** The number of completions of an indexed job may follow its parallelism. */
function completionChangeErrors(draft: Draft, old: KubeObject): FieldError[] {
  const spec = specOf(draft);
  const elastic = spec['completionMode'] === 'Indexed' && equal(spec['completions'], spec['parallelism']);
  return elastic ? [] : immutableErrors(draft, old, ['completions']);
}

const cronJobs: Strategy = {
  generation: true,
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    const template = spec['jobTemplate'];
    if (!isObject(template)) return;
    ownPart(template, 'metadata');
    if (isObject(template['spec'])) defaultTemplate(template['spec']);
  },
  validate(draft) {
    const spec = specOf(draft);
    const policies = { path: 'spec', name: 'concurrencyPolicy', choices: ['Allow', 'Forbid', 'Replace'] };
    return [
      ...cronNameErrors(draft),
      ...scheduleErrors(textOf(spec, 'schedule')),
      ...choiceErrors(spec, policies),
      ...countErrors(draft, ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit']),
      ...jobSpecErrors(partOf(partOf(spec, 'jobTemplate'), 'spec'), 'spec.jobTemplate.spec'),
    ];
  },
};

/** The jobs get eleven characters more, and a name has 63 at most. */
function cronNameErrors({ metadata }: Draft): FieldError[] {
  const { name = '' } = metadata as Partial<Draft['metadata']>;
  if (name.length <= longestCronJobName) return [];
  return [invalidValue('metadata.name', name, `must be no more than ${longestCronJobName} characters`)];
}

function scheduleErrors(schedule: string): FieldError[] {
  if (!schedule) return [required('spec.schedule')];
  const fault = cronFault(schedule);
  return fault ? [invalidValue('spec.schedule', schedule, fault)] : [];
}

/** The group batch. */
export const batch: Readonly<Record<string, Strategy>> = { 'batch/cronjobs': cronJobs, 'batch/jobs': jobs };
