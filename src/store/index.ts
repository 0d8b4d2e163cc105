/**
 * The ordered log of revisions behind the hub: durable on disk, read from memory, watched from any revision kept.
 * It knows keys and JSON values; what a Kubernetes object is, it must not know.
 * Start with contract.ts, then log-store.ts, which draws the way of a write.
 */
export { StoreError } from './contract.ts';
export type {
  Entry,
  ListOptions,
  ListPage,
  Recipe,
  Stampable,
  Store,
  StoreErrorCode,
  StoreEvent,
  StoreWrite,
  Watch,
  Watcher,
  Written,
} from './contract.ts';
export type { StoreOptions } from './log-store.ts';
export type { Retention } from './retention.ts';
export { makeFolder } from './folder.ts';
export { closeToOthers } from './private.ts';
export { memoryStore } from './memory.ts';
export { openStore } from './open.ts';
export type { SqliteOptions as OpenOptions } from './sqlite/open.ts';
export { checkStore, salvageStore } from './sqlite/salvage.ts';
export type { StoreLoss, StoreReport } from './sqlite/salvage.ts';
export { backupStore, readBackup, requireRestorable, restoreStore } from './sqlite/restore.ts';
export type { BackupContent, BackupWords, RestoredWrite } from './sqlite/restore.ts';
export type { Sealing } from './journal.ts';
