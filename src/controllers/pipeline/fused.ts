import type { Binding, View, Work } from '../../api/index.ts';
import { decideCollect, decideReflect, gatherCollect, gatherDispatch, questions } from '../../engine/index.ts';
import type { Action, Decision, Reason, Write } from '../../engine/index.ts';

/**
 * The status of a Work after something was sent to its member: what dispatching is about to write, with what the member
 * answered, in one write instead of two. Undefined when the member has said nothing new.
 */
export function reflectionOf(view: View, key: string, write: Write): Action | undefined {
  if (write.verb !== 'updateStatus') return undefined;
  const facts = gatherDispatch(view, key);
  return facts && decideReflect({ ...facts, work: write.object as Work }).actions[0];
}

const unplaced: ReadonlySet<Reason> = new Set(['NoClusterFits', 'SchedulingFailed']);

/** What the scheduler says of a binding that is placed; what it says of one that cannot be placed does not wait. */
function confirmationIn({ actions, because }: Decision): Action | undefined {
  return unplaced.has(because) ? undefined : actions.find((action) => action.do === 'report');
}

/** The scheduler's decision without its confirmation: `collectAll` writes that together with what the fleet says. */
export function placeOnly(decision: Decision): Decision {
  const confirmation = confirmationIn(decision);
  return confirmation
    ? { ...decision, actions: decision.actions.filter((action) => action !== confirmation) }
    : decision;
}

/** What the scheduler and the fleet say about a binding, in one status. */
export function collectAll(view: View, key: string): Decision | undefined {
  const facts = gatherCollect(view, key);
  if (!facts) return undefined;
  const scheduled = questions.schedule(view, key);
  const confirmation = scheduled && confirmationIn(scheduled);
  if (!confirmation || confirmation.write.verb === 'delete') return decideCollect(facts);
  const binding = confirmation.write.object as Binding;
  const collected = decideCollect({ ...facts, binding });
  if (collected.actions.some(({ write }) => isAbout(write, binding))) return collected;
  return { ...collected, because: 'Collected', actions: [confirmation, ...collected.actions] };
}

function isAbout(write: Write, { kind, metadata }: Binding): boolean {
  return write.verb !== 'delete' && write.object.kind === kind && write.object.metadata.name === metadata.name;
}
