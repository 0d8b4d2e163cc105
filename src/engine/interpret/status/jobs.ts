import type { AggregatedStatusItem, KubeObject } from '../../../api/index.ts';
import { listOf, pick, reportedBy, statusOf, sums } from './kind.ts';
import type { Fields, StatusKind } from './kind.ts';

const jobCounters = ['active', 'succeeded', 'failed'];

function conditionOf(status: Fields, type: string): Fields | undefined {
  return listOf(status, 'conditions').find((one) => one['type'] === type && one['status'] === 'True');
}

/** The latest of the times of this name; undefined when there is none. Times of one form are in the order of their texts. */
function latest(fields: readonly Fields[], name: string): string | undefined {
  return timesOf(fields, name).at(-1);
}

function timesOf(fields: readonly Fields[], name: string): readonly string[] {
  return fields
    .map((one) => one[name])
    .filter((time) => typeof time === 'string')
    .sort();
}

/** These conditions of the members, of those that have them. */
function conditionsOf(items: readonly AggregatedStatusItem[], type: string): readonly Fields[] {
  return items.map((item) => conditionOf(reportedBy(item), type)).filter((one) => one !== undefined);
}

/** A condition is over when it is over in every member; its time is that of the last one. */
function everywhere(items: readonly AggregatedStatusItem[], type: string): Fields | undefined {
  const found = conditionsOf(items, type);
  if (found.length < items.length) return undefined;
  const reason = type === 'Complete' ? { reason: 'Completed', message: 'Job completed' } : {};
  return { type, status: 'True', ...reason, ...timed(found) };
}

/** An API server accepts no failure that was not the target before. */
function failure(items: readonly AggregatedStatusItem[]): readonly Fields[] {
  const failed = items.filter((item) => conditionOf(reportedBy(item), 'Failed'));
  const message = `it failed in ${failed.map(({ clusterName }) => clusterName).join(',')}`;
  return ['FailureTarget', 'Failed'].flatMap((type) => {
    const found = conditionsOf(failed, type);
    return found.length === 0 ? [] : [{ type, status: 'True', reason: 'JobFailed', message, ...timed(found) }];
  });
}

function timed(conditions: readonly Fields[]): Fields {
  const time = latest(conditions, 'lastTransitionTime');
  return time === undefined ? {} : { lastProbeTime: time, lastTransitionTime: time };
}

/** A Job has started when it has everywhere, and is completed when it is everywhere. */
function jobTimes(present: Fields, items: readonly AggregatedStatusItem[]): Fields {
  const statuses = items.map(reportedBy);
  const [starts, ends] = [timesOf(statuses, 'startTime'), timesOf(statuses, 'completionTime')];
  const startTime = present['startTime'] ?? (starts.length === items.length ? starts[0] : undefined);
  const completionTime = ends.length === items.length ? ends.at(-1) : undefined;
  return { ...(startTime !== undefined && { startTime }), ...(completionTime && { completionTime }) };
}

/** A finished Job stays finished, whatever happens to it in the members. */
function jobStatus(template: KubeObject, items: readonly AggregatedStatusItem[]): unknown {
  const present = statusOf(template) ?? {};
  if (items.length === 0 || conditionOf(present, 'Complete') || conditionOf(present, 'Failed')) return undefined;
  const success = [everywhere(items, 'SuccessCriteriaMet'), everywhere(items, 'Complete')];
  const conditions = [...success.filter((one) => one !== undefined), ...failure(items)];
  const { conditions: _, ...others } = present;
  return {
    ...others,
    ...sums(items, jobCounters),
    ...jobTimes(present, items),
    ...(conditions.length > 0 && { conditions }),
  };
}

function cronJobStatus(template: KubeObject, items: readonly AggregatedStatusItem[]): unknown {
  const statuses = items.map(reportedBy);
  const { active: _, ...present } = statusOf(template) ?? {};
  const active = statuses.flatMap((status) => listOf(status, 'active'));
  const times = ['lastScheduleTime', 'lastSuccessfulTime'].map((name) => [name, latest(statuses, name)] as const);
  return {
    ...present,
    ...(active.length > 0 && { active }),
    ...Object.fromEntries(times.filter(([, time]) => time !== undefined)),
  };
}

/** Kinds that run until they are done. */
export const jobs: Readonly<Record<string, StatusKind>> = {
  'batch/v1|Job': {
    reflect: (_, status) => pick(status, [...jobCounters, 'conditions', 'startTime', 'completionTime']),
    aggregate: jobStatus,
  },
  'batch/v1|CronJob': { aggregate: cronJobStatus },
};
