/** Suspensions: which policy suspends what on which cluster. Policies and rollout policies alike; the stricter wins. */
export {
  suspensionsOf,
  suspends,
  suspensionsOn,
  isSuspendedSomewhere,
  isSuspendedOn,
  isForOldCopies,
  isLeaving,
  policySuspensions,
  rolloutSuspensions,
  suspendedClusters,
  workloadSuspensions,
} from './suspensions.ts';
export type { Suspensions, Clusters, ActiveSuspension, PlacedBy } from './suspensions.ts';
export { decideExpiry, gatherExpiry } from './expire.ts';
export type { ExpiryAction, ExpiryFacts } from './expire.ts';
export { needsOf, referrerOf } from './needs.ts';
export type { Needs } from './needs.ts';
