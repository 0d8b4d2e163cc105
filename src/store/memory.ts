import type { Store } from './contract.ts';
import { History } from './history.ts';
import type { Journal } from './journal.ts';
import { LogStore } from './log-store.ts';
import type { StoreOptions } from './log-store.ts';
import { writeBackup } from './sqlite/restore.ts';

/** A store that lasts as long as the process. */
export function memoryStore(options: StoreOptions = {}): Store {
  return new LogStore(new History(), memoryJournal(), options);
}

const done = (): Promise<void> => Promise.resolve();

function memoryJournal(): Journal {
  return {
    gather: queueMicrotask,
    append: done,
    compact: done,
    recover: done,
    backup: async (file, image) => writeBackup(file, image()),
    close: done,
  };
}
