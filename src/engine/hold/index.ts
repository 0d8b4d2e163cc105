/** Suspension: who holds what on which cluster. Policies and rollout policies alike; the stricter wins. */
export {
  brakesOf,
  holds,
  holdsOn,
  isBraked,
  isHeldOn,
  isLeaving,
  policyHolds,
  rolloutHolds,
  suspendedClusters,
  workloadHolds,
} from './holds.ts';
export type { Brakes, Clusters, Hold, Puller } from './holds.ts';
export { decideHold, gatherHold } from './expire.ts';
export type { HoldAction, HoldFacts } from './expire.ts';
export { pullOf, referrerOf } from './pulls.ts';
export type { Pull } from './pulls.ts';
