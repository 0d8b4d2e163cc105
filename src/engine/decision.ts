import type { Action, Decision as DecisionOf } from '../api/index.ts';
import type { Reason } from './reasons.ts';

export type { Action, Write } from '../api/index.ts';

/** A decision of the engine: its reason is a member of the closed set. */
export interface Decision<A extends Action = Action> extends DecisionOf<A, Reason> {
  /** The question whose status write contains what this decision reports: it is asked next, about the same object. */
  readonly reportedBy?: 'collect' | 'reflect';
}

/** Decides to do something. */
export function act<A extends Action>(because: Reason, ...actions: readonly A[]): Decision<A> {
  return { actions, because };
}

/** Decides to do nothing, and says why. */
export function rest(because: Reason, detail?: string): Decision<never> {
  return detail === undefined ? { actions: [], because } : { actions: [], because, detail };
}
