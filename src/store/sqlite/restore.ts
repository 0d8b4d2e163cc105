import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { closeToOthers, makePrivateFile } from '../private.ts';
import { attachmentsIn, dropLabel, readLabel, requireSame, writeAttachments, writeLabel } from './attachments.ts';
import type { Attachment, BackupLabel } from './attachments.ts';
import { copyDatabase } from './copy.ts';
import { damaged } from './fault.ts';
import { discard, filesOf, lengthOf, publish } from './files.ts';
import type { StoreFiles } from './files.ts';
import { createDatabase, openDatabase, openReadOnly, transact } from './format.ts';
import { lockDirectory } from './lock.ts';
import { isEmpty } from './open.ts';
import { createMark, readMark } from './mark.ts';
import { forgetHistory, inserter, readImage } from './rows.ts';
import type { Image } from '../journal.ts';

/**
 * The distance by which a restored store's revision is ahead of its backup's. A client that has seen revisions after
 * the backup must not take them for the new ones: it is told that its revision is compacted, and starts over.
 */
export const leap = 1_000_000;

/** The words that `backupStore` puts into a backup. */
export interface BackupWords {
  /** RFC 3339. */
  readonly made: string;
  /** The folders of the data directory whose files are part of the backup. */
  readonly folders: readonly string[];
}

/** The content of a backup. */
export interface BackupContent extends BackupLabel {
  readonly revision: number;
  readonly objects: number;
}

/**
 * Copies the store of a data directory to a file, also while another process writes to it. The copy is read and every
 * checksum compared before it gets its name.
 */
export function backupStore(dataDir: string, file: string, { made, folders }: BackupWords): BackupContent {
  const { db, mark } = filesOf(dataDir);
  if (!lengthOf(db)) throw new Error(`${dataDir} has no store to back up`);
  if (existsSync(file)) throw new Error(`${file} exists already and is not overwritten`);
  const acknowledged = readMark(mark) ?? 0;
  let content: BackupContent | undefined;
  const complete = (unfinished: string): void => {
    const attachments = attachmentsIn(dataDir, folders);
    const copy = openDatabase(unfinished);
    try {
      transact(copy, () => writeLabel(copy, { made, attachments }));
    } finally {
      copy.close();
    }
    content = readBackup(unfinished);
    if (content.revision < acknowledged)
      throw damaged(db, `it ends at revision ${content.revision}, but writes up to ${acknowledged} were acknowledged`);
  };
  copyDatabase({ db, file, complete });
  if (!content) throw new Error(`${file} was not written`);
  return content;
}

/** Reads all of a backup and proves it whole; changes nothing. */
export function readBackup(file: string): BackupContent {
  if (!lengthOf(file)) throw damaged(file, 'it is missing or empty');
  const db = openReadOnly(file);
  try {
    const { revision, versions } = readImage(db, file);
    const newest = new Map(versions.map(({ key, deleted }) => [key, deleted]));
    const objects = [...newest.values()].filter((deleted) => !deleted).length;
    return { revision, objects, ...readLabel(db, file) };
  } finally {
    db.close();
  }
}

/** An object that a restored store has beside those of the backup. */
export interface RestoredWrite {
  readonly key: string;
  readonly value: (revision: number) => object;
}

/** Throws when a backup cannot be restored into this directory: a hub runs there, it has a store, or other keys. */
export function requireRestorable(dataDir: string, attachments: readonly Attachment[]): void {
  const files = filesOf(dataDir);
  if (existsSync(files.lock)) lockDirectory(files).release();
  requireNoStore(files, attachments);
}

function requireNoStore(files: StoreFiles, attachments: readonly Attachment[]): void {
  if (!isEmpty(files)) throw new Error(`${files.dir} has a store already and is not overwritten`);
  requireSame(files.dir, attachments);
}

/**
 * Makes a data directory from a backup, which is proved whole first; refuses a directory that has a store. The writes are
 * part of the store from its first moment on. The files that the backup carries are written before the store, so that no
 * store is ever without them.
 */
export async function restoreStore(
  backup: string,
  dataDir: string,
  writes: readonly RestoredWrite[] = [],
): Promise<{ readonly revision: number }> {
  if (!lengthOf(backup)) throw damaged(backup, 'it is missing or empty');
  const files = filesOf(dataDir);
  closeToOthers(files.dir);
  const lock = lockDirectory(files);
  try {
    requireNoStore(files, []);
    return { revision: fill(files, backup, writes) };
  } finally {
    lock.release();
  }
}

function fill(files: StoreFiles, backup: string, writes: readonly RestoredWrite[]): number {
  const { unfinished } = files;
  discard(unfinished);
  try {
    makePrivateFile(unfinished);
    copyFileSync(backup, unfinished);
    // The copy takes the mode of the backup.
    chmodSync(unfinished, 0o600);
    const { revision, attachments } = prepare(unfinished, backup, writes);
    writeAttachments(files.dir, attachments);
    publish(unfinished, files.db);
    createMark(files.mark, revision);
    return revision;
  } finally {
    discard(unfinished);
  }
}

interface Prepared {
  readonly revision: number;
  readonly attachments: readonly Attachment[];
}

function prepare(copy: string, backup: string, writes: readonly RestoredWrite[]): Prepared {
  const db = openDatabase(copy);
  try {
    const { attachments } = readLabel(db, backup);
    let revision = readImage(db, backup).revision + leap;
    transact(db, () => {
      dropLabel(db);
      forgetHistory(db, revision);
      for (const write of writes) put(db, write, ++revision);
    });
    return { revision, attachments };
  } finally {
    db.close();
  }
}

/** Adds an object to a database that becomes a store; the revision must be the next one. */
export function put(db: DatabaseSync, { key, value }: RestoredWrite, revision: number): void {
  const created = db.prepare('SELECT created FROM log WHERE key = ?').get(key)?.['created'];
  const bytes = Buffer.from(JSON.stringify(value(revision)));
  inserter(db)({ revision, key, created: Number(created ?? revision), deleted: false, bytes });
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
