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

/** Reads all of a database and proves it whole: every checksum, every revision since the compaction, all rows before. */
export function readImage(db: DatabaseSync, file: string): Image {
  return naming(file, () => {
    const compacted = numberOf(db, 'SELECT revision FROM compaction');
    const kept = numberOf(db, 'SELECT kept FROM compaction');
    const versions: Version[] = [];
    const query = db.prepare(
      'SELECT revision, key, created, deleted, CAST(value AS BLOB), crc FROM log ORDER BY revision',
    );
    query.setReturnArrays(true);
    let revision = compacted;
    for (const columns of query.iterate() as Iterable<unknown>) {
      const version = versionOf(columns as Columns, file);
      if (version.revision > compacted && version.revision !== ++revision) {
        throw damaged(file, `revision ${revision} is missing`);
      }
      versions.push(version);
    }
    const found = versions.length - (revision - compacted);
    if (found !== kept) throw damaged(file, `${found} rows are left from before revision ${compacted}, not ${kept}`);
    return { compacted, revision, versions };
  });
}

function versionOf([revision, key, created, deleted, value, crc]: Columns, file: string): Version {
  // Damage can make any column anything, whatever the schema says.
  if (typeof key !== 'string' || !(value instanceof Uint8Array))
    throw damaged(file, `revision ${revision} is unreadable`);
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const row = { revision, key, created, deleted: deleted === 1, bytes };
  if (checksum(row) !== crc) throw damaged(file, `revision ${revision} (${key}) does not match its checksum`);
  return new Version(row, row.deleted);
}
