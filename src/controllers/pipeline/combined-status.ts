import type { Binding, View, Work } from '../../api/index.ts';
import {
  applied,
  decideCollect,
  decideDispatch,
  decideReflect,
  gatherCollect,
  gatherDispatch,
  guarded,
  questions,
} from '../../engine/index.ts';
import type { Action, Decision, DispatchFacts, Reason, Trouble, Write } from '../../engine/index.ts';

/** What is not news to the Work's member, and so can be told together with what the member says. */
const arrivals: ReadonlySet<Reason> = new Set(['Created', 'Recreated', 'Updated', 'Adopted', 'UpToDate']);

/**
 * The dispatcher's decision without its report that the member has what it should have: `reflectAll` writes that together
 * with what the member answered. What keeps a Work from its member does not wait.
 */
export function sendOnly(decision: Decision): Decision {
  if (!arrivals.has(decision.because) || !decision.actions.some(isReport)) return decision;
  return { ...decision, actions: decision.actions.filter((action) => !isReport(action)) };
}

/** What the pods of Works that are not healthy say. */
export interface Pods {
  of(workKey: string): Trouble | undefined;
  heed(workKey: string, facts: DispatchFacts): void;
}

/** What the dispatcher and the member say about a Work, in one status. */
export function reflectAll(view: View, key: string, pods?: Pods): Decision | undefined {
  return guarded('reflect', (guardedView, name) => reflected(guardedView, name, pods))(view, key);
}

function reflected(view: View, key: string, pods: Pods | undefined): Decision | undefined {
  const found = gatherDispatch(view, key);
  if (!found) return undefined;
  pods?.heed(key, found);
  const facts = { ...found, pods: pods?.of(key) };
  const dispatched = applied(facts) === facts.work ? undefined : decideDispatch(facts);
  const report = dispatched?.because === 'UpToDate' ? dispatched.actions.find(isReport) : undefined;
  if (!report || report.write.verb === 'delete') return decideReflect(facts);
  const decision = decideReflect({ ...facts, work: report.write.object as Work });
  return decision.actions.length > 0 ? decision : { ...decision, because: 'Collected', actions: [report] };
}

const isReport = (action: Action): boolean => action.do === 'report';

const unplaced: ReadonlySet<Reason> = new Set(['NoClusterFits', 'SchedulingFailed']);

/** What the scheduler says of a binding that is placed; what it says of one that cannot be placed does not wait. */
function confirmationIn({ actions, because }: Decision): Action | undefined {
  return unplaced.has(because) ? undefined : actions.find(isReport);
}

/** The scheduler's decision without its confirmation: `collectAll` writes that together with what the fleet says. */
export function placeOnly(decision: Decision): Decision {
  const confirmation = confirmationIn(decision);
  return confirmation
    ? { ...decision, actions: decision.actions.filter((action) => action !== confirmation) }
    : decision;
}

/** What the scheduler and the fleet say about a binding, in one status. */
export const collectAll = guarded('collect', (view: View, key: string): Decision | undefined => {
  const facts = gatherCollect(view, key);
  if (!facts) return undefined;
  const scheduled = questions.schedule(view, key);
  const confirmation = scheduled && confirmationIn(scheduled);
  if (!confirmation || confirmation.write.verb === 'delete') return decideCollect(facts);
  const binding = confirmation.write.object as Binding;
  const collected = decideCollect({ ...facts, binding });
  if (collected.actions.some(({ write }) => isAbout(write, binding))) return collected;
  return { ...collected, because: 'Collected', actions: [confirmation, ...collected.actions] };
});

function isAbout(write: Write, { kind, metadata }: Binding): boolean {
  return write.verb !== 'delete' && write.object.kind === kind && write.object.metadata.name === metadata.name;
}
