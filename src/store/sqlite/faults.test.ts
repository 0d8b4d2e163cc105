import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore, restoreStore } from '../index.ts';
import type { OpenOptions, Store, StoreEvent } from '../index.ts';
import { createDatabase, migrate, numberOf } from './format.ts';

let folder = '';
let dataDir = '';
const opened: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  rmSync(folder, { recursive: true });
});

async function open(options: Partial<OpenOptions> = {}): Promise<Store> {
  const store = await openStore({ dataDir, ...options });
  opened.push(store);
  return store;
}

const put = (store: Store, key: string, value: object = { key }) => store.write({ verb: 'put', key, value });
const keys = (store: Store): string[] => store.list('').entries.map((entry) => entry.key);

async function fill(store: Store, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, i) => put(store, `/x/${i}`, { i, text: 'x'.repeat(1000) })));
}

/** The data directory as a power cut would leave it: copied by another process, for our own would drop SQLite's locks. */
function cutPower(): string {
  const image = join(folder, 'image');
  execFileSync('cp', ['-r', dataDir, image]);
  return image;
}

describe('a store that is opened again', () => {
  test('is as it was, past included', async () => {
    const first = await open();
    await put(first, '/a', { n: 1 });
    await put(first, '/b', { n: 'ü€😀' });
    await put(first, '/a', { n: 2 });
    await first.compact(2);
    await first.write({ verb: 'delete', key: '/a', value: { last: 'words' } });
    await put(first, '/a', { n: 3 });
    await first.close();

    const second = await open();
    expect([second.revision, second.compacted]).toEqual([5, 2]);
    expect(second.get('/a')).toMatchObject({ revision: 5, created: 5, value: { n: 3 } });
    expect(second.get('/b')?.value).toEqual({ n: 'ü€😀' });
    expect(second.list('', { at: 3 }).entries.map((entry) => entry.value)).toEqual([{ n: 2 }, { n: 'ü€😀' }]);
    const seen: StoreEvent[] = [];
    second.watch('', 2, { onEvents: (events) => seen.push(...events), onEnd: () => {} });
    expect((await put(second, '/c')).revision).toBe(6);
    expect(seen.map(({ type, entry, before }) => [type, entry.revision, entry.value, before?.revision])).toEqual([
      ['updated', 3, { n: 2 }, 1],
      ['deleted', 4, { last: 'words' }, 3],
      ['created', 5, { n: 3 }, undefined],
      ['created', 6, { key: '/c' }, undefined],
    ]);
  });

  test('after a power cut has all that was acknowledged', async () => {
    const store = await open();
    await fill(store, 200);
    const image = await open({ dataDir: cutPower() });
    expect([image.revision, keys(image)]).toEqual([200, keys(store)]);
  });

  test('a store of an older format is migrated, all the way or not at all', () => {
    const db = createDatabase(join(folder, 'old.db'));
    db.exec('PRAGMA user_version = 0; CREATE TABLE old (n INTEGER); INSERT INTO old VALUES (7)');
    const steps = [() => db.exec('CREATE TABLE new AS SELECT n * 2 AS n FROM old'), () => db.exec('DROP TABLE old')];
    const broken = [...steps, () => db.exec('DROP TABLE absent')];
    expect(() => migrate(db, 'old.db', broken)).toThrow(/no such table/);
    expect([numberOf(db, 'PRAGMA user_version'), numberOf(db, 'SELECT n FROM old')]).toEqual([0, 7]);
    migrate(db, 'old.db', steps.slice(0, 1));
    migrate(db, 'old.db', steps);
    expect([numberOf(db, 'PRAGMA user_version'), numberOf(db, 'SELECT n FROM new')]).toEqual([2, 14]);
    expect(() => migrate(db, 'old.db', steps.slice(0, 1))).toThrow(expect.objectContaining({ code: 'version' }));
    db.close();
  });

  test('a store of a newer format is refused', async () => {
    await (await open()).close();
    const db = new DatabaseSync(join(dataDir, 'store.db'));
    db.exec('PRAGMA user_version = 99');
    db.close();
    await expect(open()).rejects.toMatchObject({
      code: 'version',
      message: expect.stringMatching(/store\.db has format 99/),
    });
  });
});

describe('a data directory', () => {
  test('serves one store at a time, and says who has it', async () => {
    const store = await open();
    const refused = { code: 'locked', message: `${dataDir} is in use by process ${process.pid}` };
    await expect(open()).rejects.toMatchObject(refused);
    await expect(restoreStore(import.meta.filename, dataDir)).rejects.toMatchObject(refused);
    await put(store, '/a');
    await store.close();
    expect(keys(await open())).toEqual(['/a']);
  });

  test('a data directory is free at once when the process with its lock was killed', async () => {
    const program = `
      import { openStore } from ${JSON.stringify(new URL('../index.ts', import.meta.url).href)};
      const store = await openStore({ dataDir: ${JSON.stringify(dataDir)} });
      await store.write({ verb: 'put', key: '/a', value: {} });
      console.log('open');
      setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await Promise.race([once(owner.stdout, 'data'), once(owner, 'exit')]);
    await expect(open()).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining(`process ${owner.pid}`),
    });
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(keys(await open())).toEqual(['/a']);
  });
});

const at = (name: string): string => join(folder, 'image', name);
const lengths = (): unknown[] =>
  ['store.db', 'store.db-wal', 'acknowledged'].map((name) => statSync(at(name), { throwIfNoEntry: false })?.size);

/** Changes a text wherever it is, in freed parts of the file too. */
function falsify(file: string, text: string, other: string): void {
  writeFileSync(file, readFileSync(file, 'latin1').replaceAll(text, other), 'latin1');
}

describe('damage', () => {
  const cases: readonly { what: string; names: string; damage: () => void; settled: boolean }[] = [
    { what: 'an empty database', names: 'store.db', settled: true, damage: () => truncateSync(at('store.db')) },
    { what: 'no database', names: 'store.db', settled: true, damage: () => rmSync(at('store.db')) },
    {
      what: 'a database cut in half',
      names: 'store.db',
      settled: true,
      damage: () => truncateSync(at('store.db'), statSync(at('store.db')).size / 2),
    },
    {
      what: 'a database that lacks its end',
      names: 'store.db',
      settled: true,
      damage: () => truncateSync(at('store.db'), statSync(at('store.db')).size - 8192),
    },
    {
      what: 'another kind of file',
      names: 'store.db',
      settled: true,
      damage: () => writeFileSync(at('store.db'), 'hello '.repeat(10_000)),
    },
    {
      what: 'a damaged header',
      names: 'store.db',
      settled: true,
      damage: () => falsify(at('store.db'), 'SQLite format 3', 'SQLite format 9'),
    },
    {
      what: 'a flipped letter in a value',
      names: 'store.db',
      settled: true,
      damage: () => falsify(at('store.db'), '"i":42,', '"i":43,'),
    },
    {
      what: 'a flipped letter in a key',
      names: 'store.db',
      settled: true,
      damage: () => falsify(at('store.db'), '/x/42', '/y/42'),
    },
    {
      what: 'somebody else’s database',
      names: 'store.db',
      settled: true,
      damage: () => {
        rmSync(at('store.db'));
        new DatabaseSync(at('store.db')).exec('CREATE TABLE theirs (n INTEGER)');
      },
    },
    {
      what: 'a lock that is no lock',
      names: 'lock',
      settled: true,
      damage: () => writeFileSync(at('lock'), 'x'.repeat(5000)),
    },
    {
      what: 'a write-ahead log without its database',
      names: 'store.db',
      settled: false,
      damage: () => {
        rmSync(at('store.db'));
        rmSync(at('acknowledged'));
      },
    },
    { what: 'no write-ahead log', names: 'store.db', settled: false, damage: () => rmSync(at('store.db-wal')) },
    {
      what: 'a write-ahead log cut in half',
      names: 'store.db',
      settled: false,
      damage: () => truncateSync(at('store.db-wal'), statSync(at('store.db-wal')).size / 2),
    },
  ];

  test.each(cases)(
    '$what is told, by the name of the file, and changes nothing',
    async ({ names, damage, settled }) => {
      const store = await open();
      await fill(store, 300);
      if (settled) await store.close();
      const image = cutPower();
      damage();
      const left = lengths();
      for (const _ of ['first', 'second']) {
        await expect(open({ dataDir: image })).rejects.toMatchObject({
          code: 'corrupt',
          message: expect.stringContaining(join(image, names)),
        });
      }
      expect(lengths()[0]).toBe(left[0]);
    },
  );

  test.each([
    ['missing', () => rmSync(at('acknowledged'))],
    ['empty', () => truncateSync(at('acknowledged'))],
    ['cut short', () => truncateSync(at('acknowledged'), 10)],
    ['garbage', () => writeFileSync(at('acknowledged'), 'x'.repeat(59))],
  ])('a mark that is %s is made again: it is never the only sign of a store', async (what, damage) => {
    const store = await open();
    await fill(store, 30);
    await store.close();
    const image = cutPower();
    damage();
    const repairs: string[] = [];
    const second = await open({ dataDir: image, onRepair: (text) => repairs.push(text) });
    expect(second.revision).toBe(30);
    await put(second, '/y');
    await second.close();
    expect(repairs).toHaveLength(what === 'missing' ? 0 : 1);
    expect(readFileSync(at('acknowledged'), 'utf8')).toContain('0000000000000031');
  });

  test('a store that is gone while other files show that there was one is not started over', async () => {
    mkdirSync(join(dataDir, 'pki'), { recursive: true });
    const traces = ['pki'];
    await expect(open({ traces })).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('pki shows'),
    });
    await expect(open({ traces })).rejects.toMatchObject({ code: 'corrupt' });
    await open();
  });

  test('a damaged row that can be done without is dropped, and all else is kept', async () => {
    const first = await open();
    await put(first, '/events/a', { secret: 'swordfish' });
    await put(first, '/things/b');
    await put(first, '/events/c');
    await first.close();
    falsify(join(dataDir, 'store.db'), 'swordfish', 'swordfisk');
    await expect(open()).rejects.toMatchObject({ code: 'corrupt' });
    const repairs: string[] = [];
    const isExpendable = (key: string): boolean => key.startsWith('/events/');
    const second = await open({ isExpendable, onRepair: (text) => repairs.push(text) });
    expect(keys(second)).toEqual(['/events/c', '/things/b']);
    expect(repairs).toEqual([expect.stringContaining('dropped 1 damaged rows')]);
    expect([second.revision, second.compacted]).toEqual([3, 3]);
    await put(second, '/things/d');
    await second.close();
    expect(keys(await open())).toEqual(['/events/c', '/things/b', '/things/d']);
  });

  test.each([
    { what: 'since the compaction', revision: 250 },
    { what: 'from before the compaction', revision: 50 },
  ])('a store that lost a row $what is reported', async ({ revision }) => {
    const store = await open();
    await fill(store, 300);
    await store.write({ verb: 'delete', key: '/x/7' });
    await put(store, '/x/8', { again: true });
    await store.compact(200);
    await store.compact(302);
    await fill(store, 300);
    await store.compact(202 + revision);
    await store.close();
    await (await open()).close();
    const db = new DatabaseSync(join(dataDir, 'store.db'));
    expect(db.prepare('DELETE FROM log WHERE revision = ?').run(302 + revision - 1).changes).toBe(1);
    db.close();
    await expect(open()).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringMatching(/missing|rows are left/),
    });
  });

  test('damage of a backup is found before anything is restored', async () => {
    const store = await open();
    await fill(store, 300);
    const backup = join(folder, 'backup.db');
    await store.backup(backup);
    falsify(backup, '"i":42,', '"i":43,');
    const target = join(folder, 'target');
    await expect(restoreStore(backup, target)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining(backup),
    });
    expect(keys(await open({ dataDir: target }))).toEqual([]);
  });
});

/** Tells when the store changes its health. */
function health() {
  const changes: (string | undefined)[] = [];
  let wake: (() => void) | undefined;
  return {
    changes,
    onHealth: (because: string | undefined): void => {
      changes.push(because);
      wake?.();
    },
    until: (count: number): Promise<void> =>
      new Promise((resolve) => {
        wake = () => {
          if (changes.length >= count) resolve();
        };
        wake();
      }),
  };
}

describe('a full disk', () => {
  test('makes the store read-only, until there is space again', async () => {
    const pageLimit = new Int32Array(new SharedArrayBuffer(4));
    const { changes, onHealth, until } = health();
    const store = await open({ pageLimit, onHealth, probeEvery: 5 });
    const revisions: number[] = [];
    store.watch('', 0, {
      onEvents: (events) => revisions.push(...events.map(({ entry }) => entry.revision)),
      onEnd: () => {},
    });
    await fill(store, 50);

    pageLimit[0] = 1;
    const writes = Array.from({ length: 100 }, (_, i) => put(store, `/y/${i}`, { text: 'y'.repeat(5000) }));
    const outcomes = await Promise.allSettled([...writes, put(store, '/y/0', { again: true })]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'readonly' } });
    expect(store.readonlyBecause).toMatch(/store\.db failed: database or disk is full/);
    await expect(put(store, '/z')).rejects.toMatchObject({
      code: 'readonly',
      message: expect.stringContaining('disk is full'),
    });
    await expect(store.compact(10)).rejects.toMatchObject({ code: 'readonly' });
    expect([store.revision, store.count(''), store.get('/x/7')?.revision]).toEqual([50, 50, 8]);

    pageLimit[0] = 0;
    await until(2);
    expect([changes.at(-1), store.readonlyBecause]).toEqual([undefined, undefined]);
    expect((await put(store, '/z')).revision).toBe(51);
    await store.write({ verb: 'put', key: '/y/0', value: {}, revision: 0 });
    expect(revisions).toEqual(Array.from({ length: 52 }, (_, i) => i + 1));
    await store.close();
    const again = await open();
    expect([again.revision, again.count('/y/'), again.count('/x/')]).toEqual([52, 1, 50]);
  });

  test('does not keep a store from closing', async () => {
    const pageLimit = new Int32Array(new SharedArrayBuffer(4));
    const store = await open({ pageLimit, probeEvery: 1 });
    await fill(store, 10);
    pageLimit[0] = 1;
    await Promise.allSettled([fill(store, 500)]);
    expect(store.readonlyBecause).toBeDefined();
    await store.close();
    pageLimit[0] = 0;
    expect(keys(await open())).toHaveLength(10);
  });
});

test('space that nothing needs any more goes back to the disk', async () => {
  const store = await open();
  await Promise.all(Array.from({ length: 8000 }, (_, i) => put(store, `/x/${i}`, { text: 'x'.repeat(8000) })));
  await Promise.all(Array.from({ length: 7900 }, (_, i) => store.write({ verb: 'delete', key: `/x/${i}` })));
  await store.compact(store.revision);
  const database = join(dataDir, 'store.db');
  expect(statSync(database).size).toBeGreaterThan(100 << 20);
  while (statSync(database).size > 20 << 20) await put(store, '/y');
  await store.close();
  expect(keys(await open())).toHaveLength(101);
});

test('a copy of the files under another name is a store too', async () => {
  await fill(await open(), 20);
  await opened.splice(0)[0]?.close();
  const other = join(folder, 'other');
  await (await openStore({ dataDir: other })).close();
  copyFileSync(join(dataDir, 'store.db'), join(other, 'store.db'));
  expect(keys(await open({ dataDir: other }))).toHaveLength(20);
});
