/** Question 4: what must change in this member? Start with decide.ts. */
export { isOnItsWay } from './arrival.ts';
export { covers } from './covers.ts';
export { decideDispatch, isOurs } from './decide.ts';
export type { DispatchAction } from './decide.ts';
export { gatherDispatch, isReady, readyOf } from './facts.ts';
export type { DispatchFacts, ManifestFacts } from './facts.ts';
export { created as asDispatched, dispatchedAnnotation, saysAsSent, wasSent } from './merge.ts';
export { removalsKey, removalsSuspension, removalsWords } from './removals.ts';
export type { RemovalsSuspension } from './removals.ts';
export { applied, bareRefusal, refused, unreadyWords } from './report.ts';
