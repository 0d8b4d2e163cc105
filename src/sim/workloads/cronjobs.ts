import { timestamp } from '../../base/index.ts';
import { hasReason } from '../../api/index.ts';
import type { Behaviour } from '../cluster/behaviour.ts';
import { controllerReference } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { bornAt, conditionOf, isGoing } from '../cluster/objects.ts';
import type { CronJob, Job } from '../cluster/objects.ts';
import { scheduleOf } from './cron.ts';
import type { Schedule } from './cron.ts';
import { isFinished } from './jobs.ts';

const day = 86_400_000;
/** Times that were missed longer ago are forgotten. */
const memory = 7 * day;

/** Makes a job whenever one is due. */
export const cronJobs: Behaviour<CronJob> = {
  name: 'cronjobs',
  kind: kinds.cronJobs,
  async look(cluster, cron) {
    if (isGoing(cron)) return undefined;
    await prune(cluster, cron);
    const schedule = scheduleOf(cron.spec.schedule, cron.spec.timeZone);
    const due = cron.spec.suspend || !schedule ? undefined : latest(cluster, cron, schedule);
    const started = due !== undefined && isInTime(cluster, cron, due) && (await run(cluster, cron, due));
    await report(cluster, cron, started ? due : undefined);
    if (cron.spec.suspend || !schedule) return undefined;
    const next = schedule.next(cluster.clock.now());
    return next === undefined ? undefined : next - cluster.clock.now();
  },
};

/** The last time that has come since the last one that was acted upon. */
function latest(cluster: Cluster, cron: CronJob, schedule: Schedule): number | undefined {
  const now = cluster.clock.now();
  const since = Date.parse(cron.status?.lastScheduleTime ?? bornAt(cron));
  let found: number | undefined;
  let next = schedule.next(Math.max(since, now - memory));
  while (next !== undefined && next <= now) {
    found = next;
    next = schedule.next(next);
  }
  return found;
}

function isInTime(cluster: Cluster, { spec }: CronJob, due: number): boolean {
  const { startingDeadlineSeconds } = spec;
  return startingDeadlineSeconds === undefined || cluster.clock.now() - due <= startingDeadlineSeconds * 1000;
}

const activeJobs = (cluster: Cluster, cron: CronJob): readonly Job[] =>
  cluster.owned(cron, kinds.jobs).filter((job) => !isFinished(job) && !isGoing(job));

/** Starts the job of a time; true when that time is dealt with. */
async function run(cluster: Cluster, cron: CronJob, due: number): Promise<boolean> {
  const active = activeJobs(cluster, cron);
  if (active.length > 0 && cron.spec.concurrencyPolicy === 'Forbid') return false;
  if (cron.spec.concurrencyPolicy === 'Replace') await Promise.all(active.map((job) => cluster.delete(job)));
  try {
    await cluster.create(jobOf(cron, due));
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
  return true;
}

/** The name follows from the time, so that no time is run twice. */
function jobOf({ metadata, spec, ...cron }: CronJob, due: number): Job {
  const { labels, annotations } = spec.jobTemplate.metadata ?? {};
  const scheduled = { 'batch.kubernetes.io/cronjob-scheduled-timestamp': timestamp(due) };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${metadata.name}-${Math.floor(due / 60_000)}`,
      namespace: metadata.namespace ?? '',
      ...(labels && { labels }),
      annotations: { ...annotations, ...scheduled },
      ownerReferences: [controllerReference({ metadata, ...cron })],
    },
    spec: spec.jobTemplate.spec,
  };
}

async function report(cluster: Cluster, cron: CronJob, started: number | undefined): Promise<void> {
  const done = cluster
    .owned(cron, kinds.jobs)
    .flatMap((job) => job.status?.completionTime ?? [])
    .sort()
    .at(-1);
  const active = activeJobs(cluster, cron).map(({ apiVersion, kind, metadata }) => {
    const { name, namespace, uid, resourceVersion } = metadata;
    return { apiVersion, kind, name, namespace, uid, resourceVersion };
  });
  await cluster.writeStatus(cron, {
    ...cron.status,
    active,
    ...(started !== undefined && { lastScheduleTime: timestamp(started) }),
    ...(done && { lastSuccessfulTime: done }),
  });
}

const isGood = ({ status }: Job): boolean => conditionOf(status?.conditions, 'Complete')?.status === 'True';
const surplus = (group: readonly Job[], limit: number): readonly Job[] =>
  group.slice(0, Math.max(0, group.length - limit));

/** Finished jobs are history, and history has a limit. */
async function prune(cluster: Cluster, cron: CronJob): Promise<void> {
  const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = cron.spec;
  const ended = cluster.owned(cron, kinds.jobs).filter(isFinished);
  const sorted = ended.toSorted((a, b) => (bornAt(a) < bornAt(b) ? -1 : 1));
  const going = [
    ...surplus(sorted.filter(isGood), successfulJobsHistoryLimit),
    ...surplus(
      sorted.filter((job) => !isGood(job)),
      failedJobsHistoryLimit,
    ),
  ];
  await Promise.all(going.map((job) => cluster.delete(job)));
}
