/** Question 4: what must change in this member? Start with decide.ts. */
export { isOnItsWay } from './arrival.ts';
export { covers } from './covers.ts';
export { decideDispatch, isOurs, saysAsSent } from './decide.ts';
export type { DispatchAction } from './decide.ts';
export { gatherDispatch, isReady, readyOf } from './facts.ts';
export type { DispatchFacts } from './facts.ts';
export { created as asDispatched, dispatchedAnnotation, wasSent } from './merge.ts';
export { removalsKey, removalsSuspension, removalsWords } from './removals.ts';
export type { RemovalsSuspension } from './removals.ts';
export { applied, refused, unreadyWords } from './report.ts';
