import { mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../contract.ts';
import { Version } from '../version.ts';
import { damaged } from './fault.ts';
import { discard, filesOf, lengthOf, publish } from './files.ts';
import type { StoreFiles } from './files.ts';
import { createDatabase, numberOf, openDatabase, transact } from './format.ts';
import { lockDirectory } from './lock.ts';
import { createMark, readMark } from './mark.ts';
import { leap, put } from './restore.ts';
import type { RestoredWrite } from './restore.ts';
import { inserter, rowAt, rowsOf } from './rows.ts';
import type { BadRow } from './rows.ts';

/** Something that a store has lost. */
export interface StoreLoss {
  /** A sentence that says what is damaged or missing. */
  readonly what: string;
  /** The object concerned, as far as it is known. */
  readonly key?: string;
  /** `past`: only a former state; `older`: an older state is there instead; `all`: nothing is left, or it is unknown. */
  readonly lost: 'past' | 'older' | 'all';
}

/** The findings about a store. */
export interface StoreReport {
  readonly revision: number;
  /** How many objects can be read. */
  readonly objects: number;
  readonly losses: readonly StoreLoss[];
}

/** Reads all of a store and says what it has lost; changes nothing. Refuses while a hub uses the store. */
export function checkStore(dataDir: string): StoreReport {
  return examined(dataDir, (_, found) => reportOf(found));
}

/**
 * Makes a store of all that can be read of a damaged one. The damaged files are moved to a folder beside it, and nothing of
 * them is deleted. The writes are part of the new store from its first moment on. Refuses while a hub uses the store, and when nothing is damaged.
 */
export function salvageStore(
  dataDir: string,
  writes: readonly RestoredWrite[] = [],
): StoreReport & { readonly aside: string } {
  return examined(dataDir, (files, found) => {
    const report = reportOf(found);
    if (report.losses.length === 0) throw new Error(`${files.db} is whole: there is nothing to salvage`);
    if (found.good.size === 0) throw damaged(files.db, 'nothing of it can be read');
    const revision = write(files, found, writes);
    const aside = setAside(files);
    publish(files.unfinished, files.db);
    createMark(files.mark, revision);
    return { ...report, aside };
  });
}

interface SalvagedRows {
  /** The newest state of each key that can be read. */
  readonly good: ReadonlyMap<string, Version>;
  readonly bad: readonly BadRow[];
  /** Faults other than those of single rows. */
  readonly faults: readonly string[];
  readonly revision: number;
}

function examined<T>(dataDir: string, use: (files: StoreFiles, found: SalvagedRows) => T): T {
  const files = filesOf(dataDir);
  if (!lengthOf(files.db))
    throw new StoreError('corrupt', `there is no store in ${dataDir}: ${files.db} is missing or empty`);
  const lock = lockDirectory(files);
  try {
    return use(files, foundIn(files));
  } finally {
    lock.release();
  }
}

function foundIn(files: StoreFiles): SalvagedRows {
  const db = openDatabase(files.db);
  try {
    return find(db, files);
  } finally {
    db.close();
  }
}

function find(db: DatabaseSync, files: StoreFiles): SalvagedRows {
  const acknowledged = readMark(files.mark) ?? 0;
  const compacted = numberOf(db, 'SELECT revision FROM compaction');
  const good = new Map<string, Version>();
  const bad: BadRow[] = [];
  const faults: string[] = [];
  let [revision, rows] = [compacted, 0];
  for (const row of readable(db, acknowledged, faults)) {
    rows++;
    if (row.revision > revision + 1) faults.push(gap(revision + 1, row.revision - 1));
    revision = Math.max(revision, row.revision);
    if (row instanceof Version) good.set(row.key, row);
    else bad.push(row);
  }
  if (acknowledged > revision) faults.push(gap(revision + 1, acknowledged));
  const [found, kept] = [rows - (revision - compacted), numberOf(db, 'SELECT kept FROM compaction')];
  if (faults.length === 0 && found !== kept)
    faults.push(`${kept - found} rows from before revision ${compacted} are missing`);
  return { good, bad, faults, revision: Math.max(revision, acknowledged) };
}

const gap = (from: number, to: number): string =>
  from === to ? `revision ${from} is missing` : `revisions ${from} to ${to} are missing`;

/** All rows that can be read. Where pages of the file are damaged, SQLite stops: then each revision is asked for by itself. */
function* readable(db: DatabaseSync, acknowledged: number, faults: string[]): Generator<Version | BadRow> {
  let last = 0;
  try {
    for (const row of rowsOf(db)) {
      last = row.revision;
      yield row;
    }
    return;
  } catch (error) {
    faults.push(`pages of the file are damaged: ${(error as Error).message}`);
  }
  for (let revision = last + 1; revision <= acknowledged; revision++) {
    const row = attempt(() => rowAt(db, revision));
    if (row) yield row;
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function reportOf({ good, bad, faults, revision }: SalvagedRows): StoreReport {
  const objects = [...good.values()].filter(({ deleted }) => !deleted).length;
  const losses = [
    ...faults.map((what): StoreLoss => ({ what, lost: 'all' })),
    ...bad.map(({ what, key, revision: at }): StoreLoss => {
      if (key === undefined) return { what, lost: 'all' };
      const kept = good.get(key);
      if (!kept) return { what, key, lost: 'all' };
      return { what, key, lost: kept.revision > at ? 'past' : 'older' };
    }),
  ];
  return { revision, objects, losses };
}

function write({ unfinished }: StoreFiles, { good, revision }: SalvagedRows, writes: readonly RestoredWrite[]): number {
  discard(unfinished);
  const db = createDatabase(unfinished);
  const live = [...good.values()].filter(({ deleted }) => !deleted).sort((a, b) => a.revision - b.revision);
  const insert = inserter(db);
  let newest = revision + leap;
  transact(db, () => {
    for (const version of live) insert(version);
    db.prepare('UPDATE compaction SET revision = ?, kept = ?').run(newest, live.length);
    for (const one of writes) put(db, one, ++newest);
  });
  db.close();
  return newest;
}

function setAside({ dir, db, mark }: StoreFiles): string {
  const aside = join(dir, `damaged-${new Date().toISOString().replaceAll(':', '-')}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const file of [db, `${db}-wal`, `${db}-shm`, mark])
    if (lengthOf(file) !== undefined) renameSync(file, join(aside, basename(file)));
  return aside;
}
