import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../contract.ts';
import { makePrivateFile } from '../private.ts';
import type { StoreFiles } from './files.ts';
import { isBusy } from './fault.ts';

/** A data directory that is ours until we release it or the process ends, however it ends. */
export interface Lock {
  /** Lets it go; once more does nothing. */
  release(): void;
}

/**
 * Takes a data directory for this process, or names the process that has it. The lock is SQLite's on an empty database
 * of its own: the kernel drops it with the process, nothing goes stale. The file with the owner's name only serves the
 * message. Neither file may ever be opened otherwise while the lock is taken: closing any descriptor of a file drops
 * all of a process's locks on it.
 */
export function lockDirectory(files: StoreFiles): Lock {
  if (!existsSync(files.lock)) makePrivateFile(files.lock);
  const db = new DatabaseSync(files.lock, { timeout: 0 });
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isBusy(error)) {
      throw new StoreError('locked', `${files.dir} is in use by ${ownerOf(files.owner)}`, { cause: error });
    }
    throw new StoreError('corrupt', `${files.lock} is damaged: it should be empty`, { cause: error });
  }
  nameOwner(files.owner);
  return {
    release: () => {
      if (db.isOpen) db.close();
    },
  };
}

function nameOwner(file: string): void {
  try {
    writeFileSync(file, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    // On a full disk the next one to come is told of another process, and not of which.
  }
}

function ownerOf(file: string): string {
  try {
    const pid = readFileSync(file, 'utf8').trim();
    return /^\d+$/.test(pid) ? `process ${pid}` : 'another process';
  } catch {
    // The owner has taken the lock and is about to write its name.
    return 'another process';
  }
}
