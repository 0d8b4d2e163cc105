/**
 * The only place that wires rooms together: configuration, roles, composition.
 * It decides nothing and serves nothing itself.
 * Start with config.ts.
 */
export { addressOf, gatesOf, membersOf, SetupError } from './config.ts';
export type { Address } from './config.ts';
