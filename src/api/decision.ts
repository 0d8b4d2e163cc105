import type { KubeObject, Ref } from './meta.ts';

/**
 * One write, to the hub or to the member `at`. Spec and status are different writes, and one pass never makes both for the
 * same object.
 */
export type Write =
  | { readonly verb: 'create' | 'update' | 'updateStatus'; readonly object: KubeObject; readonly at?: string }
  | { readonly verb: 'delete'; readonly ref: Ref; readonly uid?: string; readonly at?: string };

/** One thing to do: its name, for logs and metrics, and the write that does it. */
export interface Action<Do extends string = string> {
  readonly do: Do;
  readonly write: Write;
}

/** The answer to a question about one object. Its actions are performed in order. */
export interface Decision<A extends Action = Action, Because extends string = string> {
  readonly actions: readonly A[];
  /** One reason for the actions, or for doing nothing. */
  readonly because: Because;
  /** Names and numbers for people; never parsed. */
  readonly detail?: string;
  /** RFC 3339: the time to look again, where time alone can change the answer. */
  readonly again?: string;
}
