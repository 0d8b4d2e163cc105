import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../contract.ts';
import { History } from '../history.ts';
import type { Image, Sealing } from '../journal.ts';
import { Version } from '../version.ts';
import { LogStore } from '../log-store.ts';
import type { StoreOptions } from '../log-store.ts';
import { closeToOthers } from '../private.ts';
import { damaged, naming } from './fault.ts';
import { discard, filesOf, lengthOf, publish } from './files.ts';
import type { StoreFiles } from './files.ts';
import { createDatabase, openDatabase, transact } from './format.ts';
import { SqliteJournal } from './journal.ts';
import { lockDirectory } from './lock.ts';
import type { Lock } from './lock.ts';
import { createMark, readMark } from './mark.ts';
import { forgetHistory, readImage } from './rows.ts';

/** How a durable store is opened. */
export interface SqliteOptions extends StoreOptions {
  readonly dataDir: string;
  /** Called with the files and folders that other users could read or write before they were closed. */
  readonly onClosed?: (paths: readonly string[]) => void;
  /** Files or folders of the data directory that show that there was a store, beside its own. */
  readonly traces?: readonly string[];
  /** Keys that the store can do without: when their rows are damaged, it opens without them. */
  readonly isExpendable?: (key: string) => boolean;
  /** Called with what was repaired while the store was opened. */
  readonly onRepair?: (what: string) => void;
  /** Encrypts values on the disk; absent: they are written as they are. */
  readonly sealing?: Sealing;
  /** For tests: the number in it, if not 0, is how many pages the database may have, as if the disk were full then. */
  readonly pageLimit?: Int32Array;
}

/** Opens the store of a data directory; makes one only where there never was one. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const files = filesOf(options.dataDir);
  const closed = closeToOthers(files.dir);
  if (closed.length > 0) options.onClosed?.(closed);
  const lock = lockDirectory(files);
  try {
    if (isEmpty(files)) createStore(files, options.traces ?? []);
    requireFiles(files, options);
    return await start(files, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function start(files: StoreFiles, lock: Lock, options: SqliteOptions): Promise<Store> {
  const db = openDatabase(files.db);
  try {
    naming(files.db, () => db.exec('PRAGMA journal_mode = WAL'));
    const journal = new SqliteJournal(files, lock, options);
    try {
      // The thread starts while this one reads.
      const [image] = await Promise.all([read(db, files, options), journal.ready()]);
      const history = new History(image.compacted);
      history.load(openedVersions(image.versions, options.sealing));
      return new LogStore(history, journal, options);
    } catch (error) {
      await journal.close();
      throw error;
    }
  } finally {
    db.close();
  }
}

/** The versions as they were before they were sealed. */
function openedVersions(versions: readonly Version[], sealing: Sealing | undefined): readonly Version[] {
  if (!sealing) return versions;
  return versions.map((version) => {
    const bytes = sealing.open(version.key, version.bytes);
    return bytes === version.bytes ? version : new Version({ ...partsOf(version), bytes }, version.deleted);
  });
}

const partsOf = ({ key, revision, created }: Version): Pick<Version, 'key' | 'revision' | 'created'> => {
  return { key, revision, created };
};

async function read(db: DatabaseSync, files: StoreFiles, options: SqliteOptions): Promise<Image> {
  const image = sound(db, files, options);
  const acknowledged = readMark(files.mark) ?? 0;
  if (acknowledged > image.revision) {
    const what = `it ends at revision ${image.revision}, but writes up to ${acknowledged} were acknowledged`;
    throw damaged(files.db, `${what} (was ${files.wal} removed or cut short?)`);
  }
  return image;
}

/** The content of the database; expendable rows that are damaged are removed from it first. */
function sound(db: DatabaseSync, files: StoreFiles, { isExpendable, onRepair }: SqliteOptions): Image {
  const image = readImage(db, files.db, isExpendable);
  if (image.bad.length === 0) return image;
  const remove = db.prepare('DELETE FROM log WHERE revision = ?');
  transact(db, () => {
    for (const { revision } of image.bad) remove.run(revision);
    forgetHistory(db, image.revision);
  });
  onRepair?.(`dropped ${image.bad.length} damaged rows that can be done without: ${image.bad[0]?.what}`);
  return readImage(db, files.db);
}

function createStore(files: StoreFiles, traces: readonly string[]): void {
  const trace = traces.find((name) => existsSync(join(files.dir, name)));
  if (trace !== undefined)
    throw damaged(files.db, `it is missing, but ${join(files.dir, trace)} shows that there was a store`);
  discard(files.unfinished);
  createDatabase(files.unfinished).close();
  publish(files.unfinished, files.db);
}

/** No trace of a store: only then may one be made. */
export function isEmpty(files: StoreFiles): boolean {
  return [files.db, files.wal, files.mark].every((file) => lengthOf(file) === undefined);
}

function requireFiles(files: StoreFiles, { onRepair }: SqliteOptions): void {
  const length = lengthOf(files.db);
  if (length === 0) throw damaged(files.db, 'it is empty');
  if (length === undefined)
    throw damaged(files.db, `it is missing, but other files in ${files.dir} show that it was there`);
  if (readMark(files.mark) !== undefined) return;
  // None: a store that was made or restored a moment before the process died.
  const isUnreadable = lengthOf(files.mark) !== undefined;
  createMark(files.mark, 0);
  if (isUnreadable)
    onRepair?.(`${files.mark} was unreadable and is made again: lost writes at the end would go unnoticed`);
}
