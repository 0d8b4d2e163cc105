import { StoreError } from '../contract.ts';

const busy = 5;
const corrupt = 11;
const notADatabase = 26;

/** SQLite's primary result code of an error, if it is one of SQLite's. */
function codeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** Did another connection have the lock? */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === busy;
}

/** Runs a step of opening a database; damage that SQLite finds becomes an error that names the file. */
export function naming<T>(file: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { message } = error as Error;
    const code = codeOf(error);
    if (code === corrupt || code === notADatabase) throw damaged(file, message, error);
    throw new Error(`${file} cannot be opened: ${message}`, { cause: error });
  }
}

/** The error for a file that is not what it was. */
export function damaged(file: string, what: string, cause?: unknown): StoreError {
  return new StoreError('corrupt', `${file} is damaged: ${what}; restore the store from a backup`, { cause });
}
