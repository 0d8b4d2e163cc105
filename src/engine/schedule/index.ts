/**
 * Question 2: which clusters, how many replicas each? filter → rank → select → assign, for a binding and the fleet.
 * Nothing here evicts: a workload that runs where it may stay is left there, and what must go is the business of evict.
 * Start with decide.ts, then outcome.ts.
 */
export { decideSchedule, isConfirmed } from './decide.ts';
export { verdicts } from './explain.ts';
export type { Verdict } from './explain.ts';
export { lacksReplicas, whyFrozen } from './due.ts';
export { isDivided, isFleetChange } from './facts.ts';
export { gatherSchedule, priorityIn, scheduleFacts } from './gather.ts';
export type { ScheduleAction, ScheduleFacts } from './facts.ts';
export { fieldOf, groupsOf, selectsCluster } from './affinity.ts';
export { tolerates } from './taints.ts';
export { appliedPlacement } from './placement.ts';
export { divide, tieOrderOf } from './divide.ts';
