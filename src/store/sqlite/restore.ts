import { copyFileSync } from 'node:fs';
import { closeToOthers, makePrivateFile } from '../private.ts';
import { damaged } from './fault.ts';
import { discard, filesOf, lengthOf, publish } from './files.ts';
import type { StoreFiles } from './files.ts';
import { createDatabase, openDatabase, transact } from './format.ts';
import { lockDirectory } from './lock.ts';
import { isEmpty } from './open.ts';
import { createMark } from './mark.ts';
import { forgetHistory, inserter, readImage } from './rows.ts';
import type { Image } from '../journal.ts';

/**
 * By how much a restored store's revision is ahead of its backup's. Whoever has seen revisions after the backup was
 * made must not take them for the new ones: they are all told that their revision is compacted, and start over.
 */
export const leap = 1_000_000;

/** Makes a data directory from a backup, which is proved whole first; refuses a directory that has a store. */
export async function restoreStore(backup: string, dataDir: string): Promise<{ readonly revision: number }> {
  if (!lengthOf(backup)) throw damaged(backup, 'it is missing or empty');
  const files = filesOf(dataDir);
  closeToOthers(files.dir);
  const lock = lockDirectory(files);
  try {
    if (!isEmpty(files)) throw new Error(`${dataDir} has a store already and is not overwritten`);
    return { revision: fill(files, backup) };
  } finally {
    lock.release();
  }
}

function fill(files: StoreFiles, backup: string): number {
  const { unfinished } = files;
  discard(unfinished);
  try {
    makePrivateFile(unfinished);
    copyFileSync(backup, unfinished);
    const revision = prepare(unfinished, backup);
    publish(unfinished, files.db);
    createMark(files.mark, revision);
    return revision;
  } finally {
    discard(unfinished);
  }
}

function prepare(copy: string, backup: string): number {
  const db = openDatabase(copy);
  try {
    const revision = readImage(db, backup).revision + leap;
    transact(db, () => forgetHistory(db, revision));
    return revision;
  } finally {
    db.close();
  }
}

/** Writes what a store without files can read to a file that `restoreStore` understands. */
export function writeBackup(file: string, image: Image): void {
  const unfinished = `${file}.unfinished`;
  discard(unfinished);
  try {
    const db = createDatabase(unfinished);
    const insert = inserter(db);
    transact(db, () => {
      for (const version of image.versions) insert(version);
      const kept = image.versions.length - (image.revision - image.compacted);
      db.prepare('UPDATE compaction SET revision = ?, kept = ?').run(image.compacted, kept);
    });
    db.close();
    publish(unfinished, file);
  } finally {
    discard(unfinished);
  }
}
