import { scopeOf } from '../../api/index.ts';
import type { KubeObject, Policy } from '../../api/index.ts';
import type { Reason } from '../reasons.ts';
import { matchPolicy } from './match.ts';
import type { Precision } from './match.ts';

/** A policy that selects a template, and how precisely. */
export interface Candidate {
  readonly policy: Policy;
  readonly precision: Precision;
}

const scopeRank = { namespace: 0, cluster: 1 } as const;

/** The explicit priority of a policy; absent is 0. */
export function priorityOf(policy: Policy): number {
  return policy.spec.priority ?? 0;
}

/** Orders by scope, then priority: all that preemption looks at. Negative: `a` goes first. */
export function compareRank(a: Policy, b: Policy): number {
  return scopeRank[scopeOf(a)] - scopeRank[scopeOf(b)] || priorityOf(b) - priorityOf(a);
}

/** The one order of policies: scope, priority, precision, name. Election compares all four. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return compareRank(a.policy, b.policy) || b.precision - a.precision || compareNames(a.policy, b.policy);
}

function compareNames(a: Policy, b: Policy): number {
  if (a.metadata.name === b.metadata.name) return 0;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

/** The given policies that select the template, best first. */
export function candidatesOf(policies: Iterable<Policy>, template: KubeObject): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const policy of policies) {
    const match = matchPolicy(policy, template);
    if (match.matches) found.push({ policy, precision: match.precision });
  }
  return found.length > 1 ? found.sort(compareCandidates) : found;
}

/** By which part of the order the loser lost to the winner. */
export function whyLost(loser: Candidate, winner: Candidate): Reason {
  if (scopeOf(loser.policy) !== scopeOf(winner.policy)) return 'LowerScope';
  if (priorityOf(loser.policy) !== priorityOf(winner.policy)) return 'LowerPriority';
  return loser.precision === winner.precision ? 'LaterName' : 'LowerPrecision';
}
