import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of a data directory. */
export interface StoreFiles {
  readonly dir: string;
  readonly db: string;
  readonly wal: string;
  /** Says how far writes were acknowledged, and by being there that there is a store. */
  readonly mark: string;
  readonly lock: string;
  readonly owner: string;
  /** A database that is being made; it takes its name when it is complete. */
  readonly unfinished: string;
}

/** Names the files of a data directory. */
export function filesOf(dir: string): StoreFiles {
  const db = join(dir, 'store.db');
  return {
    dir,
    db,
    wal: `${db}-wal`,
    mark: join(dir, 'acknowledged'),
    lock: join(dir, 'lock'),
    owner: join(dir, 'holder'),
    unfinished: join(dir, 'store.db.unfinished'),
  };
}

/** The length of a file; undefined when there is none. */
export function lengthOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

/** Makes a file's content, or a directory's names, survive a loss of power. */
export function persist(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Gives a complete file its name, all at once and for good. */
export function publish(complete: string, name: string): void {
  if (existsSync(name)) throw new Error(`${name} exists already and is not overwritten`);
  persist(complete);
  renameSync(complete, name);
  persist(dirname(name));
}

/** Removes a database that was not completed, with its companions. */
export function discard(db: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(db + suffix, { force: true });
}
