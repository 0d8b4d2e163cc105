import type { KubeObject, Ref } from '../api/index.ts';
import type { Reason } from './reasons.ts';

/**
 * The result of a decision: the actions to perform, one reason for them (or for doing nothing), and when to look again
 * if time alone can change the answer (RFC 3339).
 */
export interface Decision<A extends Action = Action> {
  readonly actions: readonly A[];
  readonly because: Reason;
  /** Names and numbers for people; never parsed. */
  readonly detail?: string;
  readonly again?: string;
}

/** Decides to do something. */
export function act<A extends Action>(because: Reason, ...actions: readonly A[]): Decision<A> {
  return { actions, because };
}

/** Decides to do nothing, and says why. */
export function rest(because: Reason, detail?: string): Decision<never> {
  return detail === undefined ? { actions: [], because } : { actions: [], because, detail };
}

/**
 * One write of an action. Spec and status are different writes, and one pass never makes both for the same object; `at`
 * is the member, or absent for the hub.
 */
export type Write =
  | { readonly verb: 'create' | 'update' | 'updateStatus'; readonly object: KubeObject; readonly at?: string }
  | { readonly verb: 'delete'; readonly ref: Ref; readonly uid?: string; readonly at?: string };

/** One thing to do: its name, for logs and metrics, and the write that does it. Actions are performed in order. */
export interface Action<Do extends string = string> {
  readonly do: Do;
  readonly write: Write;
}
