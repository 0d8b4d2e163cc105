/**
 * The five decisions, match, validate, plan: pure functions of the state of the world.
 * Nothing here does I/O, reads a clock, draws a random number or sees an event.
 * Start with decision.ts, then claim/decide.ts; world/settle.ts runs them all to a fixpoint.
 */
export * from './claim/index.ts';
export * from './collect/index.ts';
export { conditionStatus, withCondition } from './conditions.ts';
export { act, rest } from './decision.ts';
export type { Action, Decision, Write } from './decision.ts';
export * from './dependencies/index.ts';
export * from './dispatch/index.ts';
export * from './evict/index.ts';
export * from './fleet/index.ts';
export * from './suspension/index.ts';
export * from './interpret/index.ts';
export * from './match/index.ts';
export * from './orphan/index.ts';
export * from './override/index.ts';
export * from './plan/index.ts';
export { reasons } from './reasons.ts';
export type { Reason } from './reasons.ts';
export { mutate } from './mutate/mutate.ts';
export type { MutationFacts } from './mutate/facts.ts';
export { whyUnreadable } from './validate/readable.ts';
export { validate, validateDelete, validateRules } from './validate/validate.ts';
export type { ValidationFacts } from './validate/validate.ts';
export * from './render/index.ts';
export * from './report/index.ts';
export * from './schedule/index.ts';
export * from './policy-status/index.ts';
export { specTimeOf } from './times.ts';
export * from './warn/index.ts';
export * from './world/index.ts';
