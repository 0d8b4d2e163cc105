/** Templates whose replicas members scale. Start with decide.ts. */
export { decideAutoscale, gatherAutoscale, targetKeyOf } from './decide.ts';
export type { AutoscaleAction } from './decide.ts';
