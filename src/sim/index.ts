/**
 * Member clusters without clusters: small API servers that behave as if controllers, a scheduler and kubelets worked on
 * them, each in a thread of its own, and that can be told to misbehave. They are reached like any member, over HTTPS;
 * nothing outside may look behind that. Start with member.ts, then host.ts and member-state.ts; behaviours.ts lists what they do.
 */
export { controlPath } from './faults/front.ts';
export { FaultsError, noFaults, parseChange } from './faults/faults.ts';
export type { FaultChange, Faults, RefusalFault } from './faults/faults.ts';
export { startSimulated } from './member.ts';
export type { SimulatedMember, SimulatedOptions } from './member.ts';
export type { NodesOptions } from './pods/nodes.ts';
