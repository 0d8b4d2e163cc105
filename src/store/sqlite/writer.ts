import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { unpack } from './batch.ts';
import type { Batch } from './batch.ts';
import { numberOf, openDatabase, transact } from './format.ts';
import { Mark } from './mark.ts';
import { inserter } from './rows.ts';

/** The data with which the writer starts. */
export interface WriterData {
  readonly db: string;
  readonly mark: string;
  readonly pageLimit: Int32Array | undefined;
}

/**
 * An order to the writer; it answers each with undefined or the message of an error.
 * `recover` follows a failure: prove that there is space, and take back the refused writes, i.e. everything after `revision`.
 */
export type Order =
  | ({ readonly do: 'append' } & Batch)
  | { readonly do: 'compact'; readonly revision: number; readonly superseded: Float64Array<ArrayBuffer> }
  | { readonly do: 'recover'; readonly revision: number }
  | { readonly do: 'close' };

/** The write-ahead log goes back into the database when it is this long. */
const longWal = 16 << 20;
/** Free pages are kept for reuse up to this many or a quarter of the file; what is more goes back, a little at a time. */
const sparePages = 1024;
const vacuumPages = 256;
const pageBytes = 8192;
/** The unit in which a file's blocks are counted. */
const blockBytes = 512;
/** The bytes that a row and a commit write beside the value: whole pages go to the log, however little of them changed. */
const rowOverhead = 256;
const commitOverhead = 3 * pageBytes;
const probeBytes = 1 << 20;

/** About how many bytes have been written to the write-ahead log since it last went back. */
let sinceCheckpoint = 0;
let vacuuming = false;

const port = parentPort;
if (!port) throw new Error('the writer runs in a worker thread');
const data = workerData as WriterData;

/** The files that the writer has open; recovering opens the next before this is closed. */
interface Opened {
  readonly db: DatabaseSync;
  readonly mark: Mark;
  readonly append: (batch: Batch) => void;
}

let opened: Opened | undefined;

function open(): Opened {
  const db = openDatabase(data.db);
  db.exec(`PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${2 * longWal}`);
  const mark = new Mark(data.mark);
  const insert = inserter(db);
  const append = (batch: Batch): void => {
    limitPages(db);
    transact(db, () => {
      for (const row of unpack(batch)) insert(row);
    });
    sinceCheckpoint += batch.bytes.length + batch.keys.length * rowOverhead + commitOverhead;
    mark.write(batch.numbers.at(-4) ?? 0);
  };
  return { db, mark, append };
}

function close({ db, mark }: Opened): void {
  db.close();
  mark.close();
}

function obey(order: Order): void {
  opened ??= open();
  const { db, append } = opened;
  if (order.do === 'append') append(order);
  else if (order.do === 'compact') compact(db, order.revision, order.superseded);
  else if (order.do === 'recover') opened = recovered(opened, order.revision);
  else if (order.do === 'close') {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    close(opened);
  } else order satisfies never;
  answer(undefined);
  tidy(opened.db);
}

/**
 * Begins from what is on the disk. The old connection closes last: SQLite writes the log back when the last connection closes,
 * and with too little space it stops halfway, with the space used up for good.
 */
function recovered(old: Opened, revision: number): Opened {
  const next = open();
  try {
    recover(next.db, revision);
  } catch (error) {
    close(next);
    throw error;
  }
  close(old);
  return next;
}

function answer(failure: string | undefined): void {
  port?.postMessage(failure);
}

function compact(db: DatabaseSync, revision: number, superseded: Float64Array): void {
  const remove = db.prepare('DELETE FROM log WHERE revision = ?');
  transact(db, () => {
    let removed = 0;
    for (const gone of superseded) removed += Number(remove.run(gone).changes);
    db.prepare('UPDATE compaction SET kept = kept + ?1 - revision - ?2, revision = ?1').run(revision, removed);
  });
  sinceCheckpoint += superseded.length * pageBytes;
}

/**
 * Housekeeping after the answer, so that no writer waits for all of it; it goes on between orders while there is more.
 * When it fails for want of space nothing is lost: the commits that need the space will say so.
 */
function tidy(db: DatabaseSync): void {
  if (!db.isOpen) return;
  try {
    const excess = numberOf(db, 'PRAGMA freelist_count') > Math.max(sparePages, numberOf(db, 'PRAGMA page_count') / 4);
    if (excess) db.exec(`PRAGMA incremental_vacuum(${vacuumPages})`);
    if (excess) sinceCheckpoint += vacuumPages * pageBytes;
    // The file shrinks when the log goes back into it, so that follows the last of the vacuum.
    if ((sinceCheckpoint > longWal || (vacuuming && !excess)) && canCheckpoint(db, probeBytes)) {
      sinceCheckpoint = 0;
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    }
    vacuuming = excess;
    if (excess) setImmediate(() => tidy(db));
  } catch {
    // See above.
  }
}

/**
 * There is space again when a commit of some size succeeds. The log goes back into the database only when that fails, and only
 * when all of it fits: half of it done would use up the space that the commit needs, and nothing would give it back.
 */
function recover(db: DatabaseSync, revision: number): void {
  limitPages(db);
  try {
    takeBack(db, revision);
  } catch (error) {
    if (!canCheckpoint(db, 0)) throw error;
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    takeBack(db, revision);
  }
}

function takeBack(db: DatabaseSync, revision: number): void {
  transact(db, () => {
    db.prepare('DELETE FROM log WHERE revision > ?').run(revision);
    db.prepare('INSERT INTO probe VALUES (zeroblob(?))').run(probeBytes);
  });
  transact(db, () => db.exec('DELETE FROM probe'));
}

/** Says whether the database can grow by all that the log adds to it and leave `spare` bytes free. */
function canCheckpoint(db: DatabaseSync, spare: number): boolean {
  const { bavail, bsize } = statfsSync(dirname(data.db));
  const growth = numberOf(db, 'PRAGMA page_count') * pageBytes - statSync(data.db).blocks * blockBytes;
  return bavail * bsize > Math.max(growth, 0) + spare;
}

/** Lets a test fill the disk: SQLite itself then fails as it does when the file cannot grow. */
function limitPages(db: DatabaseSync): void {
  if (data.pageLimit) db.exec(`PRAGMA max_page_count = ${Atomics.load(data.pageLimit, 0) || 0xfffffffe}`);
}

/** A failure leaves the writer as it is: the next order should be to recover. */
function fail(error: unknown): void {
  answer(`writing ${data.db} failed: ${(error as Error).message}`);
}

try {
  opened = open();
  port.on('message', (order: Order) => {
    try {
      obey(order);
      if (order.do === 'close') port.close();
    } catch (error) {
      fail(error);
    }
  });
  answer(undefined);
} catch (error) {
  fail(error);
  port.close();
}
