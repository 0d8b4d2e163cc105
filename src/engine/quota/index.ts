/** FederatedResourceQuotas: shares of the members, and what a namespace takes over all members. Start with decide.ts. */
export { decideQuota, gatherQuota } from './decide.ts';
export type { QuotaAction } from './decide.ts';
export { exceeds, excessText } from './enforce.ts';
