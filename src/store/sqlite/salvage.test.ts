import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkStore, openStore, salvageStore } from '../index.ts';
import type { Store } from '../index.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'salvage-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const put = (store: Store, key: string, value: object): Promise<unknown> => store.write({ verb: 'put', key, value });

/** A store with 200 objects, some of which have a past. */
async function fill(): Promise<void> {
  const store = await openStore({ dataDir });
  for (let i = 0; i < 200; i++) await put(store, `/x/${i}`, { i, text: 'x'.repeat(500) });
  await put(store, '/x/7', { now: 'seven' });
  await put(store, '/x/8', { now: 'eight' });
  await store.close();
}

function falsify(text: string, other: string): void {
  const file = join(dataDir, 'store.db');
  writeFileSync(file, readFileSync(file, 'latin1').replaceAll(text, other), 'latin1');
}

test('a store that is whole is said to be, and is not salvaged', async () => {
  await fill();
  expect(checkStore(dataDir)).toEqual({ revision: 202, objects: 200, losses: [] });
  expect(() => salvageStore(dataDir)).toThrow('there is nothing to salvage');
});

test('each damaged row is named with what is left of its object, and the rest is kept', async () => {
  await fill();
  falsify('"i":42,', '"i":43,');
  falsify('"i":7,', '"i":9,');
  falsify('"eight"', '"eighs"');
  const { losses, objects } = checkStore(dataDir);
  expect(objects).toBe(199);
  expect(losses.map(({ key, lost }) => [key, lost])).toEqual([
    ['/x/7', 'past'],
    ['/x/42', 'all'],
    ['/x/8', 'older'],
  ]);
  await expect(openStore({ dataDir })).rejects.toMatchObject({ code: 'corrupt' });
  const { aside } = salvageStore(dataDir);
  expect(readdirSync(aside)).toContain('store.db');
  expect(statSync(aside).mode & 0o777).toBe(0o700);
  expect(checkStore(dataDir).losses).toEqual([]);
  const store = await openStore({ dataDir });
  expect(store.count('')).toBe(199);
  expect(store.get('/x/7')?.value).toEqual({ now: 'seven' });
  expect(store.get('/x/8')?.value).toMatchObject({ i: 8 });
  expect(store.get('/x/42')).toBeUndefined();
  // Nobody may take a new revision for an old one.
  expect(store.revision).toBe(1_000_202);
  await put(store, '/x/new', {});
  await store.close();
});

test('rows that are missing, and writes after the end, are told', async () => {
  await fill();
  const db = new DatabaseSync(join(dataDir, 'store.db'));
  db.exec('DELETE FROM log WHERE revision IN (50, 51, 202)');
  db.close();
  expect(checkStore(dataDir).losses.map(({ what }) => what)).toEqual([
    'revisions 50 to 51 are missing',
    'revision 202 is missing',
  ]);
  salvageStore(dataDir);
  const store = await openStore({ dataDir });
  expect(store.count('')).toBe(198);
  await store.close();
});

test('damaged pages cost only what was on them', async () => {
  await fill();
  const file = join(dataDir, 'store.db');
  const bytes = readFileSync(file);
  // The middle of the file: a page of rows, not of the tree above them.
  bytes.fill(0xff, 8192 * 8, 8192 * 9);
  writeFileSync(file, bytes);
  await expect(openStore({ dataDir })).rejects.toMatchObject({ code: 'corrupt' });
  const { losses, objects } = salvageStore(dataDir);
  expect(losses[0]?.what).toContain('pages of the file are damaged');
  expect(objects).toBeGreaterThan(150);
  const store = await openStore({ dataDir });
  expect(store.count('')).toBe(objects);
  await store.close();
});

test('a file of which nothing can be read is left as it is', async () => {
  await fill();
  truncateSync(join(dataDir, 'store.db'), 100);
  expect(() => salvageStore(dataDir)).toThrow('store.db');
  expect(existsSync(join(dataDir, 'store.db'))).toBe(true);
  expect(readdirSync(dataDir).some((name) => name.startsWith('damaged-'))).toBe(false);
});

test('a store that a hub uses is refused', async () => {
  const store = await openStore({ dataDir });
  expect(() => checkStore(dataDir)).toThrow(`is in use by process ${process.pid}`);
  expect(() => salvageStore(dataDir)).toThrow('is in use');
  await store.close();
});
