/**
 * The built-in kinds: names, defaults, validation, allocation and tables.
 * Every table is data by resource; nothing here reads the store except through the objects it is given.
 * Start with strategies.ts, then one group's file; table/table.ts prints lists.
 */
export { namespacesResource } from './core.ts';
export type { Draft, Part } from './draft.ts';
export {
  finalizerWarnings,
  foregroundFinalizer,
  metadataErrors,
  metadataUpdateErrors,
  orphanFinalizer,
} from './metadata.ts';
export { partOf } from './part.ts';
export { addLimitDefaults, limitFaults } from './quota/limits.ts';
export { excess, quotaStatus, uncountable, usageUnder } from './quota/total.ts';
export { zero } from './quota/usage.ts';
export type { Amounts, Counted } from './quota/usage.ts';
export { strategyOf } from './strategies.ts';
export { tableColumns, tableRow } from './table/table.ts';
