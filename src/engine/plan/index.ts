/** What would a change do, and why is a template where it is? Start with plan.ts. */
export { appliedOver, evolve } from './change.ts';
export type { PlanError, ProposedChange } from './change.ts';
export { contentOf, differences, effectOf } from './effects.ts';
export type { Difference, Effect, EffectKind, PolicyName, Waits, When } from './effects.ts';
export { explain } from './explain.ts';
export type { CandidateVerdict, ClusterVerdict, Explanation } from './explain.ts';
export { lossesOf } from './losses.ts';
export { differencesOf, plan, readsReports, settlingOf, touchesRunning } from './plan.ts';
export type { Plan } from './plan.ts';
export type { PlanTotals } from './tally.ts';
export { isObstacle, obstacleOf } from './obstacle.ts';
export { pendingOverride } from './explain-overrides.ts';
export type { OverrideVerdict } from './explain-overrides.ts';
