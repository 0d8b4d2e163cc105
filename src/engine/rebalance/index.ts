/** WorkloadRebalancers: workloads that are to be scheduled anew. Start with decide.ts. */
export { decideRebalance, gatherRebalance } from './decide.ts';
export type { RebalanceAction } from './decide.ts';
