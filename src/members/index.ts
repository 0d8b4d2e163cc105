/**
 * Member clusters: how they are reached, what they serve, how they are; `sim/` is members without clusters.
 * Nothing here knows policies or Works.
 * Start with fleet.ts, then member.ts.
 */
export { BadCredentials, connectionOf } from './credentials.ts';
export type { MemberSecret } from './credentials.ts';
export { Fleet } from './fleet.ts';
export type { FleetListener } from './fleet.ts';
export { Member } from './member.ts';
export type { Probe } from './probe.ts';
export { controlPath, FaultsError, noFaults, parseChange, startSimulated } from './sim/index.ts';
export type { FaultChange, Faults, NodesOptions, Refusal, SimulatedMember, SimulatedOptions } from './sim/index.ts';
export { MemberWatches } from './watches.ts';
export type { Sight } from './watches.ts';
