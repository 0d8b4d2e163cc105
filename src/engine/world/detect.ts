import type { Binding, View } from '../../api/index.ts';
import { decideClaim, gatherClaim } from '../claim/index.ts';
import type { ClaimAction } from '../claim/index.ts';
import type { Decision } from '../decision.ts';
import { decideSchedule, scheduleFacts } from '../schedule/index.ts';

/**
 * Questions 1 and 2 in one write: a binding that is written anyway is written with the clusters that the scheduler would
 * choose for it a moment later. The scheduler finds it placed; a crash in between cannot exist.
 */
export function detect(view: View, key: string): Decision<ClaimAction> | undefined {
  const facts = gatherClaim(view, key);
  if (!facts) return undefined;
  const decision = decideClaim(facts);
  if (!decision.actions.some((action) => action.do === 'bind')) return decision;
  return { ...decision, actions: decision.actions.map((action) => placed(view, action)) };
}

function placed(view: View, action: ClaimAction): ClaimAction {
  if (action.do !== 'bind' || action.write.verb === 'delete') return action;
  const binding = action.write.object as Binding;
  const [first] = decideSchedule(scheduleFacts(view, binding)).actions;
  if (first?.do !== 'place' || first.write.verb === 'delete') return action;
  return { ...action, write: { ...action.write, object: first.write.object } };
}
