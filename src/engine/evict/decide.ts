import type { Binding, GracefulEvictionTask, PurgeMode } from '../../api/index.ts';
import { act, rest } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { holdsOn, isHeldOn } from '../hold/index.ts';
import type { Reason } from '../reasons.ts';
import { whyFrozen } from '../schedule/index.ts';
import type { EvictionAction, EvictionFacts } from './facts.ts';
import { fateOf } from './tasks.ts';
import { noticesOf } from './taints.ts';
import type { Notice } from './taints.ts';

/**
 * Must the workload leave a cluster, and may an old copy go? While dispatching is suspended neither happens: the new
 * copy could not be sent, so the old one would leave without a replacement.
 */
export function decideEviction(facts: EvictionFacts): Decision<EvictionAction> {
  const { binding } = facts;
  if (binding.metadata.deletionTimestamp) return rest('BindingDeleting');
  const tasks = tasksNow(facts);
  const notices = isReplaceable(facts) ? noticesNow(facts) : nothing;

  const next = withAll(facts, tasks, notices);
  const again = earliest([...tasks, ...notices]);
  const decided = next ? act(reasonToWrite(notices), write(next, notices)) : rest(reasonToRest(tasks, notices));
  return again === undefined ? decided : { ...decided, again };
}

/** Where its policy does not hold it only the note of a graceful eviction tells the scheduler to replace what is driven out. */
function isReplaceable({ gates, binding }: EvictionFacts): boolean {
  return gates.Failover && (gates.GracefulEviction || !whyFrozen(binding));
}

/** One thing that is due, held, or waits for a time. */
interface Matter<Subject> {
  readonly subject: Subject;
  readonly state: 'due' | 'held' | 'waits';
  readonly until?: number;
}

const nothing: readonly Matter<Notice>[] = [];

function noticesNow(facts: EvictionFacts): readonly Matter<Notice>[] {
  return noticesOf(facts).map((notice) => {
    if (isHeldOn(facts.brakes, notice.target.name)) return held(facts, notice, [notice.target.name]);
    if (notice.at <= Date.parse(facts.now)) return { subject: notice, state: 'due' };
    return { subject: notice, state: 'waits', until: notice.at };
  });
}

/** An old copy also waits while any of the clusters that replace it is held. */
function tasksNow(facts: EvictionFacts): readonly Matter<GracefulEvictionTask>[] {
  const { gracefulEvictionTasks = [], clusters = [] } = facts.binding.spec;
  return gracefulEvictionTasks.map((task) => {
    const involved = [task.fromCluster, ...clusters.map(({ name }) => name)];
    if (involved.some((name) => isHeldOn(facts.brakes, name))) return held(facts, task, involved);
    const fate = fateOf(facts, task);
    if (fate.over) return { subject: task, state: 'due' };
    return { subject: task, state: 'waits', ...(fate.until !== undefined && { until: fate.until }) };
  });
}

/** A hold that ends by itself is worth another look then. */
function held<Subject>(facts: EvictionFacts, subject: Subject, clusters: readonly string[]): Matter<Subject> {
  const ends = clusters.flatMap((name) => holdsOn(facts.brakes, name).map(({ until }) => Date.parse(until ?? '')));
  const until = Math.min(...ends.filter((end) => end > Date.parse(facts.now)));
  return Number.isFinite(until) ? { subject, state: 'held', until } : { subject, state: 'held' };
}

function earliest(matters: readonly Matter<unknown>[]): string | undefined {
  const times = matters.flatMap(({ state, until }) => (state === 'due' || until === undefined ? [] : [until]));
  // Rounded up: a look before the second is over would find nothing due.
  return times.length > 0 ? instant(Math.ceil(Math.min(...times) / 1000) * 1000) : undefined;
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

/** The binding after all that is due; undefined when nothing is. */
function withAll(
  facts: EvictionFacts,
  tasks: readonly Matter<GracefulEvictionTask>[],
  notices: readonly Matter<Notice>[],
): Binding | undefined {
  const leaving = notices.filter(({ state }) => state === 'due').map(({ subject }) => subject);
  const kept = tasks.filter(({ state }) => state !== 'due').map(({ subject }) => subject);
  const undated = kept.some(({ creationTimestamp }) => creationTimestamp === undefined);
  if (leaving.length === 0 && kept.length === tasks.length && !undated) return undefined;
  const { spec } = facts.binding;
  const names = new Set(leaving.map(({ target }) => target.name));
  const noted = new Set(kept.map(({ fromCluster }) => fromCluster));
  const unnoted = leaving.filter(({ target }) => !noted.has(target.name));
  const gracefulEvictionTasks = [...kept.map((task) => dated(task, facts.now)), ...newTasks(facts, unnoted)];
  const clusters = spec.clusters?.filter(({ name }) => !names.has(name)) ?? [];
  return { ...facts.binding, spec: { ...spec, clusters, gracefulEvictionTasks } };
}

function dated(task: GracefulEvictionTask, now: string): GracefulEvictionTask {
  return task.creationTimestamp === undefined ? { ...task, creationTimestamp: now } : task;
}

function newTasks({ binding, gates, now }: EvictionFacts, leaving: readonly Notice[]): readonly GracefulEvictionTask[] {
  if (!gates.GracefulEviction) return [];
  const purgeMode: PurgeMode = binding.spec.failover?.cluster?.purgeMode ?? 'Gracefully';
  return leaving.map(({ target }) => ({
    fromCluster: target.name,
    purgeMode,
    ...(target.replicas && { replicas: target.replicas }),
    reason: 'TaintUntolerated',
    producer: 'TaintManager',
    ...(purgeMode === 'Never' && { suppressDeletion: true }),
    clustersBeforeFailover: binding.spec.clusters?.map(({ name }) => name) ?? [],
    creationTimestamp: now,
  }));
}

function write(object: Binding, notices: readonly Matter<Notice>[]): EvictionAction {
  const name = notices.some(({ state }) => state === 'due') ? 'evict' : 'clear';
  return { do: name, write: { verb: 'update', object } };
}

function reasonToWrite(notices: readonly Matter<Notice>[]): Reason {
  return notices.some(({ state }) => state === 'due') ? 'Evicting' : 'EvictionDone';
}

function reasonToRest(tasks: readonly Matter<GracefulEvictionTask>[], notices: readonly Matter<Notice>[]): Reason {
  if ([...tasks, ...notices].some(({ state }) => state === 'held')) return 'EvictionHeld';
  if (tasks.length > 0) return 'EvictionWaits';
  return notices.length > 0 ? 'Tolerated' : 'UpToDate';
}
