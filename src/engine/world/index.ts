/** Worlds in memory: all decisions run to a fixpoint. Start with settle.ts. */
export { promptMembers } from './members.ts';
export type { MemberBehaviour } from './members.ts';
export { questions } from './questions.ts';
export { removalsAfter, withoutRemovals } from './removals.ts';
export { worldOf } from './load.ts';
export type { FoundState } from './load.ts';
export { NotSettled, run, settle } from './settle.ts';
export type { Settling } from './settle.ts';
export { wake, wakeAll, wakeMove } from './wakes.ts';
export type { ActionOf, Question, Wake } from './question.ts';
export { emptyWorld, memberKey, World } from './world.ts';
export type { Change } from './world.ts';
