import { StoreError } from '../contract.ts';

const busy = 5;

/** Problems around an undamaged file: permissions, locks, memory, a read-only, full or failing disk. */
const circumstances: ReadonlySet<number | undefined> = new Set([3, busy, 7, 8, 10, 13, 14]);

/** SQLite's primary result code of an error, if it is one of SQLite's. */
function codeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** Tells whether another connection had the lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === busy;
}

/** Runs a step of opening a database; whatever is wrong becomes an error that names the file. */
export function naming<T>(file: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { message } = error as Error;
    if (!circumstances.has(codeOf(error))) throw damaged(file, message, error);
    throw new Error(`${file} cannot be opened: ${message}`, { cause: error });
  }
}

/** The error for a file that is not what it was. */
export function damaged(file: string, what: string, cause?: unknown): StoreError {
  return new StoreError('corrupt', `${file} is damaged: ${what}; restore the store from a backup`, { cause });
}
