import type { Binding, View, Work } from '../../api/index.ts';
import { decideClaim, gatherClaim } from '../claim/index.ts';
import type { ClaimAction } from '../claim/index.ts';
import { decideCollect, decideReflect, gatherCollect } from '../collect/index.ts';
import type { CollectAction } from '../collect/index.ts';
import { rest } from '../decision.ts';
import type { Action, Decision, Write } from '../decision.ts';
import { applied, decideDispatch, gatherDispatch } from '../dispatch/index.ts';
import type { DispatchAction } from '../dispatch/index.ts';
import { exceeds, excessText } from '../quota/index.ts';
import type { Reason } from '../reasons.ts';
import { decideSchedule, gatherSchedule, isConfirmed, scheduleFacts } from '../schedule/index.ts';
import type { ScheduleAction } from '../schedule/index.ts';
import { guarded } from './undecided.ts';

/**
 * Answers that are written together with others, so that an edit costs fewer writes: a binding is created with its clusters,
 * and the statuses of a binding and of a Work are written once. A crash between two writes that are one cannot happen.
 */

/** Questions 1 and 2: a binding that is written anyway is written with the clusters that the scheduler chooses for it. */
export function claim(view: View, key: string): Decision<ClaimAction> | undefined {
  const facts = gatherClaim(view, key);
  if (!facts) return undefined;
  const decision = decideClaim(facts);
  if (!decision.actions.some((action) => action.do === 'bind')) return decision;
  for (const { do: what, write } of decision.actions) {
    if (what !== 'bind' || write.verb === 'delete') continue;
    const excess = excessText(exceeds(view, write.object as Binding, facts.binding));
    if (excess) return rest('QuotaExceeded', excess);
  }
  return { ...decision, actions: decision.actions.map((action) => withClusters(view, action)) };
}

function withClusters(view: View, action: ClaimAction): ClaimAction {
  if (action.do !== 'bind' || action.write.verb === 'delete') return action;
  const binding = action.write.object as Binding;
  // The workloads of a group are placed one after the other, which only the scheduler sees to.
  if (binding.spec.workloadAffinityGroups) return action;
  const [first] = decideSchedule(scheduleFacts(view, binding)).actions;
  if (first?.do !== 'place' || first.write.verb === 'delete') return action;
  return { ...action, write: { ...action.write, object: first.write.object } };
}

const isReport = (action: Action): boolean => action.do === 'report';

const unplaced: ReadonlySet<Reason> = new Set(['NoClusterFits', 'SchedulingFailed', 'QuotaExceeded']);

/** The report that a binding is placed. The report that it cannot be placed is written at once. */
function confirmationIn({ actions, because }: Decision<ScheduleAction>): ScheduleAction | undefined {
  return unplaced.has(because) ? undefined : actions.find(isReport);
}

function scheduleAndReport(view: View, key: string): Decision<ScheduleAction> | undefined {
  const facts = gatherSchedule(view, key);
  return facts && decideSchedule(facts);
}

/** Question 2, without the report that the binding is placed: `collect` writes it. */
export function schedule(view: View, key: string): Decision<ScheduleAction> | undefined {
  const decision = scheduleAndReport(view, key);
  const confirmation = decision && confirmationIn(decision);
  if (!confirmation) return decision;
  return { ...decision, actions: decision.actions.filter((one) => one !== confirmation), reportedBy: 'collect' };
}

/** Question 5, with the report of the scheduler in the same status. */
export function collect(view: View, key: string): Decision<CollectAction> | undefined {
  const facts = gatherCollect(view, key);
  if (!facts) return undefined;
  const confirmation = confirmationOf(view, key, facts.binding);
  if (!confirmation) return decideCollect(facts);
  const collected = decideCollect({ ...facts, binding: confirmation });
  if (collected.actions.some(({ write }) => isAbout(write, confirmation))) return collected;
  const report = { do: 'report', write: { verb: 'updateStatus', object: confirmation } } as const;
  return { ...collected, because: 'Collected', actions: [report, ...collected.actions] };
}

/** A scheduler that cannot decide does not keep the fleet's reports from the binding. */
const guardedSchedule = guarded('schedule', scheduleAndReport);

/** The binding with the report that it is placed; undefined when its status has that report, or it is not placed yet. */
function confirmationOf(view: View, key: string, binding: Binding): Binding | undefined {
  if (isConfirmed(binding)) return undefined;
  const decision = guardedSchedule(view, key);
  const report = decision && confirmationIn(decision);
  return report && report.write.verb !== 'delete' ? (report.write.object as Binding) : undefined;
}

function isAbout(write: Write, { kind, metadata }: Binding): boolean {
  return write.verb !== 'delete' && write.object.kind === kind && write.object.metadata.name === metadata.name;
}

/** Outcomes that say that the member has what it should have. Their report is merged with the status of the member's object. */
const arrivals: ReadonlySet<Reason> = new Set(['Created', 'Recreated', 'Updated', 'Adopted', 'UpToDate']);

/** Question 4, without the report that the member has what it should have: `reflect` writes it. Failures are reported at once. */
export function dispatch(view: View, key: string): Decision<DispatchAction> | undefined {
  const facts = gatherDispatch(view, key);
  if (!facts) return undefined;
  const decision = decideDispatch(facts);
  if (!arrivals.has(decision.because) || !decision.actions.some(isReport)) return decision;
  return { ...decision, actions: decision.actions.filter((one) => !isReport(one)), reportedBy: 'reflect' };
}

/** The status of the member's object, with the report of the dispatcher in the same status of the Work. */
export function reflect(view: View, key: string): Decision<CollectAction> | undefined {
  const facts = gatherDispatch(view, key);
  if (!facts) return undefined;
  const dispatched = applied(facts) === facts.work ? undefined : decideDispatch(facts);
  const report = dispatched?.because === 'UpToDate' ? dispatched.actions.find(isReport) : undefined;
  if (!report || report.write.verb === 'delete') return decideReflect(facts);
  const { object } = report.write;
  const decision = decideReflect({ ...facts, work: object as Work });
  if (decision.actions.length > 0) return decision;
  return { ...decision, because: 'Collected', actions: [{ do: 'report', write: { verb: 'updateStatus', object } }] };
}
