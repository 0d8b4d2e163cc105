/** Question 5: what does the fleet say about this template? Start with aggregate.ts. */
export { decideCollect, gatherCollect } from './aggregate.ts';
export type { CollectFacts } from './aggregate.ts';
export { deliveryOf } from './delivery.ts';
export type { Delivery, MemberState, WorkReport } from './delivery.ts';
export { inEffectCondition, stateSaid } from './effect.ts';
export { healthyCondition, judgeHealth } from './health.ts';
export { cutOff } from './reach.ts';
export { decideReflect } from './reflect.ts';
export { reportedStatus } from './reported.ts';
export type { CollectAction } from './reflect.ts';
