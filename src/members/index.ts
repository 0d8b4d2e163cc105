/**
 * Member clusters: how they are reached, what they serve, and their health.
 * Nothing here knows policies or Works.
 * Start with fleet.ts, then member.ts.
 */
export { BadCredentials, connectionOf } from './credentials.ts';
export type { MemberSecret } from './credentials.ts';
export { Fleet } from './fleet.ts';
export type { FleetListener } from './fleet.ts';
export { ensureImpersonatorRole } from './impersonator.ts';
export { Member } from './member.ts';
export { MemberProxy } from './proxy/proxy.ts';
export type { MemberAnswer } from './proxy/proxy.ts';
export { MemberWatches } from './watches.ts';
export type { Sight } from './watches.ts';
