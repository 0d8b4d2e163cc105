import type { Store } from './contract.ts';
import { memoryStore } from './memory.ts';
import { openSqliteStore } from './sqlite/open.ts';
import type { SqliteOptions } from './sqlite/open.ts';

/** Opens the store of a data directory, or one in memory for ':memory:'. */
export async function openStore(options: SqliteOptions): Promise<Store> {
  return options.dataDir === ':memory:' ? memoryStore(options) : openSqliteStore(options);
}
