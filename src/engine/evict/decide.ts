import type { Binding, GracefulEvictionTask } from '../../api/index.ts';
import { act, rest } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { outageText } from '../fleet/index.ts';
import { suspensionsOn, isSuspendedOn } from '../suspension/index.ts';
import { deadlineOf, isMove } from '../move/index.ts';
import type { Reason } from '../reasons.ts';
import { whyFrozen } from '../schedule/index.ts';
import type { EvictionAction, EvictionFacts } from './facts.ts';
import { isOver, moveFates } from './moves.ts';
import type { MoveFate } from './moves.ts';
import { reportedOverdue } from './overdue.ts';
import { applicationEvictionsOf } from './application.ts';
import { newTask } from './new-tasks.ts';
import { fateOf } from './tasks.ts';
import { taintEvictionsOf } from './taints.ts';
import type { Eviction } from './taints.ts';

/**
 * Decides whether the workload must leave a cluster, and whether an old copy can be removed. While dispatching is
 * suspended neither happens: the new copy could not be sent, so the old one would leave without a replacement.
 */
export function decideEviction(facts: EvictionFacts): Decision<EvictionAction> {
  const { binding } = facts;
  if (binding.metadata.deletionTimestamp) return rest('BindingDeleting');
  const tasks = tasksNow(facts);
  const evictions = presentEvictions(facts);
  const lost = new Set(evictions.flatMap(({ blocked }) => blocked ?? []));

  const next = withAll(facts, tasks, evictions);
  const again = earliest([...tasks, ...evictions]);
  const decided = next ? acting(next, { tasks, evictions }) : waitingDecision(facts, { tasks, evictions });
  const detailed = lost.size > 0 && !next ? { ...decided, detail: [...lost].join('; ') } : decided;
  return again === undefined ? detailed : { ...detailed, again };
}

/** Where no policy manages it only the task of a graceful eviction tells the scheduler to replace a copy that is evicted. */
function isReplaceable({ gates, binding }: EvictionFacts): boolean {
  return gates.GracefulEviction || !whyFrozen(binding);
}

/** One thing that is due, suspended, or waits for a time. */
interface Matter<Subject> {
  readonly subject: Subject;
  readonly state: 'due' | 'suspended' | 'waits' | 'blocked' | 'paused';
  /** Why an eviction that is due cannot be done without a loss. */
  readonly blocked?: string;
  /** The task of an eviction that is due. */
  readonly task?: GracefulEvictionTask;
  /** The next state of the subject, while it is not over. */
  readonly becomes?: Subject;
  readonly until?: number;
}

interface Matters {
  readonly tasks: readonly Matter<GracefulEvictionTask>[];
  readonly evictions: readonly Matter<Eviction>[];
}

/** The clusters that the workload must leave, each once: a taint says more than the health of the workload. */
function presentEvictions(facts: EvictionFacts): readonly Matter<Eviction>[] {
  if (!isReplaceable(facts)) return [];
  const byTaint = facts.gates.Failover ? taintEvictionsOf(facts) : [];
  const tainted = new Set(byTaint.map(({ target }) => target.name));
  const others = applicationEvictionsOf(facts).filter(({ target }) => !tainted.has(target.name));
  return [...byTaint, ...others].map((eviction) => evictionNow(facts, eviction));
}

function evictionNow(facts: EvictionFacts, eviction: Eviction): Matter<Eviction> {
  const { name } = eviction.target;
  if (isSuspendedOn(facts.suspensions, name)) return suspendedMatter(facts, eviction, [name]);
  const at = eviction.at > Date.parse(facts.now) ? eviction.at : confirmedAt(facts, eviction);
  const { outage } = facts.failures();
  if (outage && eviction.at <= Date.parse(facts.now))
    return { subject: eviction, state: 'paused', blocked: outageText(outage, facts.settings) };
  if (at > Date.parse(facts.now))
    return { subject: eviction, state: 'waits', ...(Number.isFinite(at) && { until: at }) };
  const task = newTask(facts, eviction);
  if (typeof task === 'string') return { subject: eviction, state: 'blocked', blocked: task };
  return { subject: eviction, state: 'due', task };
}

const lookAgainMilliseconds = 1_000;

/**
 * A member that has answered again is not left because it is not called ready yet. A hub that was away, or has just started, looks for itself first: the member may have been back for long. After an outage
 * it does so, too: members come back one after the other.
 */
function confirmedAt(facts: EvictionFacts, { target, at }: Eviction): number {
  const { failures, settings, awakeSince, answering, now } = facts;
  const { since, over } = failures();
  if (!since.has(target.name)) return at;
  if (answering?.has(target.name)) return Date.parse(now) + lookAgainMilliseconds;
  const looking = [awakeSince === undefined ? 0 : Date.parse(awakeSince), over.get(target.name) ?? 0];
  return Math.max(at, ...looking.map((begin) => begin + settings.awakeSeconds * 1000));
}

function tasksNow(facts: EvictionFacts): readonly Matter<GracefulEvictionTask>[] {
  const { gracefulEvictionTasks = [] } = facts.binding.spec;
  const fates = facts.moves && moveFates(facts.binding, facts.moves);
  return gracefulEvictionTasks.map((task) =>
    isMove(task) ? moveNow(facts, task, fates?.get(task.fromCluster)) : failoverNow(facts, task),
  );
}

/** The cluster that the workload leaves, and those that take it over. */
function involvedIn({ spec }: Binding, { fromCluster }: GracefulEvictionTask): readonly string[] {
  return [fromCluster, ...(spec.clusters?.map(({ name }) => name) ?? [])];
}

/** An old copy also waits while any of the clusters that replace it is suspended. */
function failoverNow(facts: EvictionFacts, task: GracefulEvictionTask): Matter<GracefulEvictionTask> {
  const involved = involvedIn(facts.binding, task);
  if (involved.some((name) => isSuspendedOn(facts.suspensions, name))) return suspendedMatter(facts, task, involved);
  const fate = fateOf(facts, task);
  if (fate.over) return { subject: task, state: 'due' };
  return { subject: task, state: 'waits', ...(fate.until !== undefined && { until: fate.until }) };
}

/**
 * A replacement that is suspended and healthy replaces as any other does; one that has yet to be sent does not. A move
 * that is overdue is looked at again when something changes: time alone changes nothing any more.
 */
function moveNow(
  facts: EvictionFacts,
  task: GracefulEvictionTask,
  fate: MoveFate = 'stays',
): Matter<GracefulEvictionTask> {
  const { suspensions, binding, moves, now } = facts;
  if (moves && isOver(moves, task)) return { subject: task, state: 'due' };
  const involved = fate === 'stays' ? involvedIn(binding, task) : [task.fromCluster];
  if (involved.some((name) => isSuspendedOn(suspensions, name))) return suspendedMatter(facts, task, involved);
  if (fate === 'goes') return { subject: task, state: 'due' };
  const becomes = typeof fate === 'object' ? { becomes: { ...task, replicas: fate.replicas } } : {};
  const deadline = deadlineOf(task, now);
  const isWorthALook = task.suppressDeletion === undefined && deadline > Date.parse(now);
  return { subject: task, state: 'waits', ...becomes, ...(isWorthALook && { until: deadline }) };
}

/** A suspension that ends by itself is looked at again at its end. */
function suspendedMatter<Subject>(
  facts: EvictionFacts,
  subject: Subject,
  clusters: readonly string[],
): Matter<Subject> {
  const ends = clusters.flatMap((name) =>
    suspensionsOn(facts.suspensions, name).map(({ until }) => Date.parse(until ?? '')),
  );
  const until = Math.min(...ends.filter((end) => end > Date.parse(facts.now)));
  return Number.isFinite(until) ? { subject, state: 'suspended', until } : { subject, state: 'suspended' };
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
  evictions: readonly Matter<Eviction>[],
): Binding | undefined {
  const leaving = evictions.filter(({ state }) => state === 'due');
  const kept = tasks.filter(({ state }) => state !== 'due').map(({ subject, becomes }) => becomes ?? subject);
  const undated = kept.some(({ creationTimestamp }) => creationTimestamp === undefined);
  const shrinks = tasks.some(({ state, becomes }) => state !== 'due' && becomes);
  if (leaving.length === 0 && kept.length === tasks.length && !undated && !shrinks) return undefined;
  const { spec } = facts.binding;
  const names = new Set(leaving.map(({ subject }) => subject.target.name));
  // A cluster that drives a workload out ends a move away from it: its own task says more.
  const others = kept.filter((task) => !isMove(task) || !names.has(task.fromCluster));
  const noted = new Set(others.map(({ fromCluster }) => fromCluster));
  const made = facts.gates.GracefulEviction ? leaving.flatMap(({ task }) => task ?? []) : [];
  const gracefulEvictionTasks = [
    ...others.map((task) => dated(task, facts.now)),
    ...made.filter(({ fromCluster }) => !noted.has(fromCluster)),
  ];
  const clusters = spec.clusters?.filter(({ name }) => !names.has(name)) ?? [];
  return { ...facts.binding, spec: { ...spec, clusters, gracefulEvictionTasks } };
}

function dated(task: GracefulEvictionTask, now: string): GracefulEvictionTask {
  return task.creationTimestamp === undefined ? { ...task, creationTimestamp: now } : task;
}

function acting(object: Binding, { tasks, evictions }: Matters): Decision<EvictionAction> {
  const writing = (name: EvictionAction['do']): EvictionAction => ({ do: name, write: { verb: 'update', object } });
  const leaving = evictions.filter(({ state }) => state === 'due').map(({ subject }) => subject.cause);
  if (leaving.length > 0) return act(leaving.includes('taint') ? 'Evicting' : 'ApplicationFailed', writing('evict'));
  const over = tasks.filter(({ state }) => state === 'due');
  if (over.some(({ subject }) => !isMove(subject))) return act('EvictionDone', writing('clear'));
  if (over.length > 0) return act('MoveDone', writing('clear'));
  return tasks.some(({ becomes }) => becomes)
    ? act('MoveShrinks', writing('shrink'))
    : act('EvictionDone', writing('clear'));
}

function waitingDecision(facts: EvictionFacts, { tasks, evictions }: Matters): Decision<EvictionAction> {
  const because = reasonToRest(tasks, evictions);
  const waiting = tasks.flatMap(({ state, subject }) => (state === 'waits' && isMove(subject) ? subject : []));
  const overdue = reportedOverdue(facts, waiting);
  if (!overdue) return rest(because);
  const { binding, ...told } = overdue;
  return { ...told, actions: [{ do: 'report', write: { verb: 'updateStatus', object: binding } }] };
}

const isSuspended = ({ state }: Matter<unknown>): boolean => state === 'suspended';

function reasonToRest(tasks: Matters['tasks'], evictions: Matters['evictions']): Reason {
  const failover = tasks.filter(({ subject }) => !isMove(subject));
  if ([...failover, ...evictions].some(isSuspended)) return 'EvictionSuspended';
  if (tasks.some(isSuspended)) return 'RemovalSuspended';
  if (failover.length > 0) return 'EvictionWaits';
  if (tasks.length > 0) return 'MoveWaits';
  if (evictions.some(({ state }) => state === 'paused')) return 'EvictionPaused';
  if (evictions.some(({ state }) => state === 'blocked')) return 'StateUnknown';
  if (evictions.length === 0) return 'UpToDate';
  return evictions.some(({ subject }) => subject.cause === 'taint') ? 'Tolerated' : 'UnhealthyTolerated';
}
