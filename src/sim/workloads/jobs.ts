import type { Behaviour } from '../cluster/behaviour.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { conditionOf, counted, isGoing, isOver, isReady } from '../cluster/objects.ts';
import type { Job, Pod, StatusCondition } from '../cluster/objects.ts';
import { completedText, indexAnnotation, indexOf, nextIndexes } from './indexes.ts';
import { podOf } from './podset.ts';

/** The pods of a job by what became of them. */
interface Tally {
  readonly active: readonly Pod[];
  readonly succeeded: readonly Pod[];
  readonly failed: number;
}

/** Runs pods until enough of them have succeeded, or too many have failed. */
export const jobs: Behaviour<Job> = {
  name: 'jobs',
  kind: kinds.jobs,
  async look(cluster, job) {
    if (isGoing(job)) return undefined;
    if (isFinished(job)) return expire(cluster, job);
    const end = job.spec.suspend ? undefined : endOf(cluster, job, tallyOf(cluster, job));
    const started = { ...job, status: { startTime: cluster.stamp(), ...job.status } };
    if (end || job.spec.suspend) await stopAll(cluster, job);
    else await fill(cluster, job);
    await report(cluster, job.spec.suspend ? job : started, end);
    return end ? undefined : deadlineLeft(cluster, started);
  },
};

const hasCondition = (job: Job, type: string): boolean => conditionOf(job.status?.conditions, type)?.status === 'True';

/** Tells whether the job has ended, one way or the other. */
export const isFinished = (job: Job): boolean => hasCondition(job, 'Complete') || hasCondition(job, 'Failed');

function tallyOf(cluster: Cluster, job: Job): Tally {
  const pods = cluster.owned(job, kinds.pods);
  const succeeded = pods.filter(({ status }) => status?.phase === 'Succeeded');
  const failed = pods.filter(({ status }) => status?.phase === 'Failed').length;
  return {
    active: pods.filter((pod) => !isOver(pod) && !isGoing(pod)),
    succeeded,
    failed: Math.max(failed, job.status?.failed ?? 0),
  };
}

interface End {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

function endOf(cluster: Cluster, job: Job, { active, succeeded, failed }: Tally): End | undefined {
  const { completions, backoffLimit = 6 } = job.spec;
  const enough = completions === undefined ? succeeded.length > 0 && active.length === 0 : isReached(job, succeeded);
  if (enough) {
    const message = 'Reached expected number of succeeded pods';
    return { type: 'Complete', reason: 'CompletionsReached', message };
  }
  if (failed > backoffLimit) {
    const message = 'Job has reached the specified backoff limit';
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message };
  }
  if (deadlineLeft(cluster, job) !== 0) return undefined;
  const message = 'Job was active longer than specified deadline';
  return { type: 'Failed', reason: 'DeadlineExceeded', message };
}

function isReached({ spec }: Job, succeeded: readonly Pod[]): boolean {
  const done = spec.completionMode === 'Indexed' ? new Set(succeeded.map(indexOf)).size : succeeded.length;
  return done >= (spec.completions ?? 1);
}

function deadlineLeft(cluster: Cluster, { spec, status }: Job): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || !status?.startTime) return undefined;
  return Math.max(0, Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000 - cluster.clock.now());
}

async function fill(cluster: Cluster, job: Job): Promise<void> {
  const { parallelism = 1, completions } = job.spec;
  const { active, succeeded } = tallyOf(cluster, job);
  const left = completions === undefined ? parallelism : completions - succeeded.length;
  // Without a number of completions the first success says that the work is done: nothing new is begun.
  const wanted = completions === undefined && succeeded.length > 0 ? 0 : Math.min(parallelism, left);
  const missing = Math.max(0, wanted - active.length);
  const indexes = job.spec.completionMode === 'Indexed' ? nextIndexes({ completions, active, succeeded }, missing) : [];
  await Promise.all(Array.from({ length: missing }, (_, i) => cluster.create(jobPod(job, indexes[i]))));
  const surplus = active.slice(0, Math.max(0, active.length - wanted));
  await Promise.all(surplus.map((pod) => cluster.delete(pod)));
}

function jobPod(job: Job, index: number | undefined): Pod {
  const { template } = job.spec;
  if (index === undefined) return podOf(job, template);
  const extra = { [indexAnnotation]: String(index) };
  const pod = podOf(job, template, { labels: extra, annotations: extra });
  return { ...pod, metadata: { ...pod.metadata, generateName: `${job.metadata.name}-${index}-` } };
}

async function stopAll(cluster: Cluster, job: Job): Promise<void> {
  await Promise.all(tallyOf(cluster, job).active.map((pod) => cluster.delete(pod)));
}

async function report(cluster: Cluster, job: Job, end: End | undefined): Promise<void> {
  const fresh = cluster.get(kinds.jobs, job.metadata.namespace, job.metadata.name);
  if (!fresh) return;
  const { active: running, succeeded, failed } = tallyOf(cluster, job);
  const active = end ? [] : running;
  const now = cluster.stamp();
  const { startTime = now } = job.status ?? {};
  const indexes = job.spec.completionMode === 'Indexed' ? completedText(succeeded) : '';
  await cluster.writeStatus(fresh, {
    ...conditionsPart(job, end, now),
    ...(!job.spec.suspend && { startTime }),
    ...(end?.type === 'Complete' && { completionTime: now }),
    ...counted({ active: active.length, succeeded: succeeded.length, failed }),
    ...(indexes && { completedIndexes: indexes }),
    terminating: 0,
    ready: active.filter(isReady).length,
    uncountedTerminatedPods: {},
  });
}

function conditionsPart({ spec, status }: Job, end: End | undefined, now: string): object {
  const old = status?.conditions ?? [];
  const before = conditionOf(old, 'Suspended');
  const suspended = spec.suspend || before ? [suspension(spec.suspend ? 'True' : 'False', before, now)] : [];
  const conditions = [...old.filter((one) => one !== before), ...suspended, ...endConditions(end, now)];
  return conditions.length > 0 ? { conditions } : {};
}

function endConditions(end: End | undefined, now: string): readonly StatusCondition[] {
  if (!end) return [];
  const { type, reason, message } = end;
  const first = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const rest = { status: 'True', lastProbeTime: now, lastTransitionTime: now, reason, message };
  return [first, type].map((one) => ({ type: one, ...rest }));
}

function suspension(status: string, before: StatusCondition | undefined, now: string): StatusCondition {
  if (before?.status === status) return before;
  const [reason, message] = status === 'True' ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed'];
  return { type: 'Suspended', status, reason, message, lastProbeTime: now, lastTransitionTime: now };
}

/** A finished job goes when its time is over, if it has one. */
async function expire(cluster: Cluster, job: Job): Promise<number | undefined> {
  const { ttlSecondsAfterFinished } = job.spec;
  if (ttlSecondsAfterFinished === undefined) return undefined;
  const ended = conditionOf(
    job.status?.conditions,
    hasCondition(job, 'Complete') ? 'Complete' : 'Failed',
  )?.lastTransitionTime;
  const left = Date.parse(ended ?? '') + ttlSecondsAfterFinished * 1000 - cluster.clock.now();
  if (left > 0) return left;
  await cluster.delete(job);
  return undefined;
}
