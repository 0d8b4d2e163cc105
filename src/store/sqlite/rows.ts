import { crc32 } from 'node:zlib';
import type { DatabaseSync } from 'node:sqlite';
import type { Image } from '../journal.ts';
import { Version } from '../version.ts';
import { damaged, naming } from './fault.ts';
import { numberOf } from './format.ts';

/** One row of the log. */
export interface Row {
  readonly revision: number;
  readonly key: string;
  readonly created: number;
  readonly deleted: boolean;
  readonly bytes: Uint8Array;
}

type Columns = [revision: number, key: unknown, created: number, deleted: number, bytes: unknown, crc: number];

/** A checksum of all of a row, because SQLite has none and would hand out a flipped bit. */
function checksum({ revision, key, created, deleted, bytes }: Row): number {
  return crc32(bytes, crc32(`${revision} ${created} ${Number(deleted)} ${key}\n`));
}

/** Prepares the insertion of rows. The value is stored as text, so that SQLite's shell shows it and can query it. */
export function inserter(db: DatabaseSync): (row: Row) => void {
  const insert = db.prepare('INSERT INTO log VALUES (?, ?, ?, ?, CAST(? AS TEXT), ?)');
  return (row) => {
    insert.run(row.revision, row.key, row.created, Number(row.deleted), row.bytes, checksum(row));
  };
}

/** A row that is not what was written. */
export interface BadRow {
  readonly revision: number;
  /** As it stands in the row, if it can be read at all. */
  readonly key: string | undefined;
  readonly what: string;
}

/** All rows of a database, with the damaged rows that it can do without. */
export interface ReadImage extends Image {
  readonly bad: readonly BadRow[];
}

const columns = 'revision, key, created, deleted, CAST(value AS BLOB), crc';

/**
 * Reads all of a database and proves it whole: every checksum, every revision since the compaction, all rows before. A
 * damaged row is an error, unless its key is expendable.
 */
export function readImage(
  db: DatabaseSync,
  file: string,
  isExpendable: (key: string) => boolean = () => false,
): ReadImage {
  return naming(file, () => {
    const compacted = numberOf(db, 'SELECT revision FROM compaction');
    const kept = numberOf(db, 'SELECT kept FROM compaction');
    const versions: Version[] = [];
    const bad: BadRow[] = [];
    let revision = compacted;
    for (const row of rowsOf(db)) {
      if (row.revision > compacted && row.revision !== ++revision)
        throw damaged(file, `revision ${revision} is missing`);
      if (row instanceof Version) versions.push(row);
      else if (row.key !== undefined && isExpendable(row.key)) bad.push(row);
      else throw damaged(file, row.what);
    }
    const found = versions.length + bad.length - (revision - compacted);
    if (found !== kept) throw damaged(file, `${found} rows are left from before revision ${compacted}, not ${kept}`);
    return { compacted, revision, versions, bad };
  });
}

/** The rows of a database, good and bad, in the order of their revisions, after this one. */
export function* rowsOf(db: DatabaseSync, after = 0): Generator<Version | BadRow> {
  const query = db.prepare(`SELECT ${columns} FROM log WHERE revision > ? ORDER BY revision`);
  query.setReturnArrays(true);
  for (const row of query.iterate(after) as Iterable<unknown>) yield versionOf(row as Columns);
}

/** The row of one revision, or none. */
export function rowAt(db: DatabaseSync, revision: number): Version | BadRow | undefined {
  const query = db.prepare(`SELECT ${columns} FROM log WHERE revision = ?`);
  query.setReturnArrays(true);
  const row: unknown = query.get(revision);
  return row === undefined ? undefined : versionOf(row as Columns);
}

/** Drops the past, so that nobody can watch from before a gap in it; the store goes on from this revision. */
export function forgetHistory(db: DatabaseSync, revision: number): void {
  db.exec('DELETE FROM log WHERE revision NOT IN (SELECT max(revision) FROM log GROUP BY key)');
  db.exec('DELETE FROM log WHERE deleted = 1');
  db.prepare('UPDATE compaction SET revision = ?, kept = (SELECT count(*) FROM log)').run(revision);
}

function versionOf([revision, key, created, deleted, value, crc]: Columns): Version | BadRow {
  // Damage can make any column anything, whatever the schema says.
  if (typeof key !== 'string' || !(value instanceof Uint8Array))
    return { revision, key: undefined, what: `revision ${revision} is unreadable` };
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const row = { revision, key, created, deleted: deleted === 1, bytes };
  if (checksum(row) !== crc)
    return { revision, key, what: `revision ${revision} (${key}) does not match its checksum` };
  return new Version(row, row.deleted);
}
