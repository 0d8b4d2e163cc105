/** Failover: what must leave a tainted cluster, and when an old copy may go. Start with decide.ts. */
export { decideEviction } from './decide.ts';
export { gatherEviction } from './facts.ts';
export type { EvictionAction, EvictionFacts } from './facts.ts';
