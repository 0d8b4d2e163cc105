/** The status of the templates that a policy manages, counted while decisions are made. Start with tally.ts. */
export { Tally } from './tally.ts';
export type { PolicyCounts, Totals } from './tally.ts';
export type { StateCounts } from './template-status.ts';
export { decidePolicyStatus, gatherPolicyStatus } from './status.ts';
export type { PolicyStatusAction, PolicyStatusFacts } from './status.ts';
