import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../contract.ts';
import { makePrivateFile } from '../private.ts';
import { damaged, naming } from './fault.ts';

/** Brings a database from one format to the next, within a transaction. */
export type Migration = (db: DatabaseSync) => void;

/** The format of a database is how many of these it has been through; a new one goes through all of them. */
export const migrations: readonly Migration[] = [
  (db) =>
    db.exec(`
      CREATE TABLE log (
        revision INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        created INTEGER NOT NULL,
        deleted INTEGER NOT NULL,
        value TEXT NOT NULL,
        crc INTEGER NOT NULL
      ) STRICT;
      -- kept: how many rows the compaction left, to notice when one of them is lost.
      CREATE TABLE compaction (revision INTEGER NOT NULL, kept INTEGER NOT NULL) STRICT;
      INSERT INTO compaction VALUES (0, 0);
      CREATE TABLE probe (space BLOB) STRICT;
    `),
  // Fingerprints in values say their version: a program without it would take every template for a changed one.
  () => undefined,
];

/** "Slui": tells our databases from others. */
const applicationId = 0x536c7569;

/** Makes an empty database of the newest format. Big pages, because a row of two kilobytes wastes half of a small one. */
export function createDatabase(file: string): DatabaseSync {
  // SQLite gives its companions, the write-ahead log and its index, the rights of the database.
  makePrivateFile(file);
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = ${applicationId}`);
  migrate(db, file);
  return db;
}

/** Tables and the indexes of their keys. */
const inert = "type = 'index' OR (type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%')";

/** Opens a database that must be a store's, and brings it to the newest format. */
export function openDatabase(file: string): DatabaseSync {
  return opened(file, {}, (db) => migrate(db, file));
}

/** Opens a database that must be a store's for reading; one of a format that this version does not know is refused. */
export function openReadOnly(file: string): DatabaseSync {
  return opened(file, { readOnly: true }, (db) => requireKnown(db, file));
}

function opened(
  file: string,
  options: { readonly readOnly?: boolean },
  prepare: (db: DatabaseSync) => void,
): DatabaseSync {
  return naming(file, () => {
    const db = new DatabaseSync(file, { timeout: 5000, ...options });
    try {
      if (numberOf(db, 'PRAGMA application_id') !== applicationId)
        throw damaged(file, 'it is not a database of a store');
      // A file may come from anywhere: nothing in it may run when rows are read or written.
      if (numberOf(db, `SELECT count(*) FROM sqlite_schema WHERE NOT (${inert})`) > 0)
        throw damaged(file, 'it has triggers, views or virtual tables, which no store has');
      prepare(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Returns the format of a database; throws when it is newer than what is known. */
function requireKnown(db: DatabaseSync, file: string, known: readonly Migration[] = migrations): number {
  const format = numberOf(db, 'PRAGMA user_version');
  if (format <= known.length) return format;
  const message = `${file} has format ${format}, this version knows formats up to ${known.length}: use a newer version`;
  throw new StoreError('version', message);
}

/** Applies the migrations that a database has not been through; all of them or none. */
export function migrate(db: DatabaseSync, file: string, known: readonly Migration[] = migrations): void {
  const format = requireKnown(db, file, known);
  if (format === known.length) return;
  transact(db, () => {
    for (const step of known.slice(format)) step(db);
    db.exec(`PRAGMA user_version = ${known.length}`);
  });
}

/** Runs a function in a transaction: all that it does is durable afterwards, or none. */
export function transact(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** The single number that a query gives. */
export function numberOf(db: DatabaseSync, query: string): number {
  const row = db.prepare(query).get() ?? {};
  return Number(Object.values(row)[0] ?? 0);
}
