import type { Action, Decision } from '../decision.ts';
import type { Reason } from '../reasons.ts';
import type { Question } from './question.ts';

/**
 * Questions whose answers contain removals that wait, and the questions that are answered before: they may still want the
 * object where it is. One edit of a policy may take an object from a cluster and let a workload need it there again.
 */
export const removalsAfter = {
  render: ['claim', 'dependencies', 'evict', 'schedule'],
  evict: ['claim', 'dependencies', 'schedule'],
} as const satisfies { readonly [Q in Question]?: readonly Question[] };

/** Reasons whose removals do not wait: objects that go with their template, and failover. */
const prompt: ReadonlySet<Reason> = new Set(['BindingDeleting', 'PurgeFirst', 'Evicting', 'EvictionDone']);

/** Actions that remove something from a cluster: a Work, or a task that keeps one. */
const removals: ReadonlySet<string> = new Set(['remove', 'clear']);

const isRemoval = (action: Action): boolean => removals.has(action.do);

/** The decision without the removals that wait; the same decision where it contains none. */
export function withoutRemovals<D extends Decision>(decision: D): D {
  if (!decision.actions.some(isRemoval) || prompt.has(decision.because)) return decision;
  return { ...decision, actions: decision.actions.filter((action) => !isRemoval(action)) };
}
