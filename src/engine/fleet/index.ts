/** The fleet itself: what a member needs on the hub, how it leaves, and which namespaces every member has. */
export { decideCluster, gatherCluster } from './cluster.ts';
export type { ClusterAction, ClusterFacts } from './cluster.ts';
export { decideNamespace, gatherNamespace, isSpread, workRef } from './namespace.ts';
export type { NamespaceAction, NamespaceFacts } from './namespace.ts';
export { decideRegistration } from './registration.ts';
export type { Registration, RegistrationFacts } from './registration.ts';
export { clusterStatusAfter, statusAfterSilence, usualPatience, usualSilence } from './status.ts';
export type { Doubt, Patience, SilenceLimits } from './status.ts';
export { failuresOf, outageCondition, outageText } from './outage.ts';
export type { Failures, Outage } from './outage.ts';
