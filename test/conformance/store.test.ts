import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { memoryStore, openStore, restoreStore } from '../../src/store/index.ts';
import type { Entry, Store, StoreEvent, StoreOptions } from '../../src/store/index.ts';

interface Driver {
  readonly name: string;
  open(options?: StoreOptions): Promise<Store>;
}

const folders: string[] = [];
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'store-'));
  folders.push(made);
  return made;
}

const drivers: readonly Driver[] = [
  { name: 'memory', open: async (options) => memoryStore(options) },
  { name: 'sqlite', open: (options) => openStore({ ...options, dataDir: folder() }) },
];

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  for (const made of folders.splice(0)) rmSync(made, { recursive: true });
});

/** Follows a prefix and tells what it saw, once a given revision was shown. */
function follow(store: Store, prefix: string, from: number) {
  const events: StoreEvent[] = [];
  const ends: string[] = [];
  let reached: (() => void) | undefined;
  const watch = store.watch(prefix, from, {
    onEvents: (batch) => {
      events.push(...batch);
      reached?.();
    },
    onEnd: (why) => {
      ends.push(why);
      reached?.();
    },
  });
  const until = (done: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      reached = () => {
        if (done()) resolve();
      };
      reached();
    });
  return { events, ends, close: () => watch.close(), until };
}

const stamp = (revision: number, before?: Entry): object => ({ revision, before: before?.revision ?? 0 });
const shown = (events: readonly StoreEvent[]): string[] =>
  events.map(({ type, entry }) => `${type} ${entry.key}@${entry.revision}`);
const keys = (entries: readonly Entry[]): string[] => entries.map((entry) => entry.key);
const put = (store: Store, key: string, value: object = { key }): Promise<Entry> =>
  store.write({ verb: 'put', key, value });
const remove = (store: Store, key: string): Promise<Entry> => store.write({ verb: 'delete', key });

async function filled(store: Store, count: number): Promise<Store> {
  const names = Array.from({ length: count }, (_, i) => `/pods/${String((i * 7919) % count).padStart(5, '0')}`);
  await Promise.all([...names, '/pod', '/podsecurity/x', '/services/a'].map((key) => put(store, key)));
  return store;
}

describe.each(drivers)('a $name store', (driver) => {
  const open = async (options?: StoreOptions): Promise<Store> => {
    const store = await driver.open(options);
    opened.push(store);
    return store;
  };

  test('starts empty at revision 0', async () => {
    const store = await open();
    expect([store.revision, store.compacted, store.count(''), store.readonlyBecause]).toEqual([0, 0, 0, undefined]);
    expect(store.list('')).toEqual({ entries: [], revision: 0, remaining: 0 });
  });

  test('gives each write the next revision and remembers where a key began', async () => {
    const store = await open();
    await put(store, '/a/1', { n: 1 });
    await put(store, '/a/2', { n: 1 });
    const changed = await put(store, '/a/1', { n: 2 });
    expect([changed.revision, changed.created, changed.value]).toEqual([3, 1, { n: 2 }]);
    expect(store.get('/a/1')).toBe(changed);
    expect(changed.bytes.toString()).toBe('{"n":2}');
    expect(store.revision).toBe(3);
  });

  test('a deleted key is gone, and comes back as a new one', async () => {
    const store = await open();
    await put(store, '/a', { n: 1 });
    const gone = await remove(store, '/a');
    expect([gone.revision, gone.created, gone.value]).toEqual([2, 1, { n: 1 }]);
    expect([store.get('/a'), store.count('/')]).toEqual([undefined, 0]);
    const again = await put(store, '/a', { n: 2 });
    expect([again.revision, again.created]).toEqual([3, 3]);
  });

  test('values are frozen all the way down', async () => {
    const store = await open();
    const entry = await put(store, '/a', { spec: { list: [{ n: 1 }] } });
    const value = entry.value as { spec: { list: { n: number }[] } };
    expect(Object.isFrozen(value.spec.list[0])).toBe(true);
  });

  test('a value can carry the revision it gets', async () => {
    const store = await open();
    await put(store, '/other');
    await store.write({ verb: 'put', key: '/a', value: stamp });
    await store.write({ verb: 'put', key: '/a', value: stamp });
    expect(store.get('/a')?.value).toEqual({ revision: 3, before: 2 });
    const gone = await store.write({ verb: 'delete', key: '/a', value: stamp });
    expect(gone.value).toEqual({ revision: 4, before: 3 });
  });

  test('a value that is no JSON is refused and costs no revision', async () => {
    const store = await open();
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    await expect(put(store, '/a', loop)).rejects.toThrow(/circular/i);
    expect((await put(store, '/b')).revision).toBe(1);
  });

  test('a key that no file could hold, and a value that writes while it is made, are refused', async () => {
    const store = await open();
    await expect(put(store, '/\ud800')).rejects.toThrow(TypeError);
    const inner: Promise<Entry>[] = [];
    const value = (): object => {
      inner.push(put(store, '/inner'));
      return {};
    };
    await expect(store.write({ verb: 'put', key: '/outer', value })).rejects.toThrow(TypeError);
    expect((await Promise.all(inner)).map((entry) => entry.revision)).toEqual([1]);
    expect([store.revision, keys(store.list('').entries)]).toEqual([1, ['/inner']]);
  });

  describe('preconditions', () => {
    const cases = [
      { name: 'create of a new key', write: { verb: 'put', key: '/new', revision: 0 }, succeeds: true },
      { name: 'create of an old key', write: { verb: 'put', key: '/old', revision: 0 }, succeeds: false },
      { name: 'update at its revision', write: { verb: 'put', key: '/old', revision: 1 }, succeeds: true },
      { name: 'update at another revision', write: { verb: 'put', key: '/old', revision: 2 }, succeeds: false },
      { name: 'update of nothing', write: { verb: 'put', key: '/new', revision: 1 }, succeeds: false },
      { name: 'create of a deleted key', write: { verb: 'put', key: '/gone', revision: 0 }, succeeds: true },
      { name: 'update of a deleted key', write: { verb: 'put', key: '/gone', revision: 3 }, succeeds: false },
      { name: 'delete at its revision', write: { verb: 'delete', key: '/old', revision: 1 }, succeeds: true },
      { name: 'delete at another revision', write: { verb: 'delete', key: '/old', revision: 3 }, succeeds: false },
      { name: 'delete of nothing', write: { verb: 'delete', key: '/new' }, succeeds: false },
      {
        name: 'delete of nothing, expecting nothing',
        write: { verb: 'delete', key: '/new', revision: 0 },
        succeeds: false,
      },
      { name: 'delete of a deleted key', write: { verb: 'delete', key: '/gone' }, succeeds: false },
    ] as const;

    test.each(cases)('$name: $holds', async ({ write, succeeds }) => {
      const store = await open();
      await put(store, '/old');
      await put(store, '/gone');
      await remove(store, '/gone');
      const done = store.write({ ...write, value: { changed: true } });
      if (succeeds) expect((await done).revision).toBe(4);
      else await expect(done).rejects.toMatchObject({ name: 'StoreError', code: 'conflict' });
      expect(store.revision).toBe(succeeds ? 4 : 3);
    });

    test('if many writers have the same precondition, exactly one wins', async () => {
      const store = await open();
      await put(store, '/a', { owner: 'nobody' });
      const race = Array.from({ length: 50 }, (_, i) =>
        store.write({ verb: 'put', key: '/a', value: { owner: i }, revision: 1 }),
      );
      const outcomes = await Promise.allSettled(race);
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
      expect([store.revision, store.get('/a')?.value]).toEqual([2, { owner: 0 }]);
    });

    test('a chain of writes may build on writes that are not durable yet', async () => {
      const store = await open();
      const chain = [
        store.write({ verb: 'put', key: '/a', value: { n: 1 }, revision: 0 }),
        store.write({ verb: 'put', key: '/a', value: { n: 2 }, revision: 1 }),
        store.write({ verb: 'delete', key: '/a', revision: 2 }),
        store.write({ verb: 'put', key: '/a', value: { n: 3 }, revision: 0 }),
      ];
      expect((await Promise.all(chain)).map((entry) => entry.revision)).toEqual([1, 2, 3, 4]);
      expect(store.get('/a')).toMatchObject({ created: 4, value: { n: 3 } });
    });

    test('a writer that lost can read at once the state that it lost against', async () => {
      const store = await open();
      const won = put(store, '/a', { n: 1 });
      const lost = store.write({ verb: 'put', key: '/a', value: { n: 2 }, revision: 0 });
      expect(store.get('/a')).toBeUndefined();
      await expect(lost).rejects.toMatchObject({ code: 'conflict' });
      expect(store.get('/a')?.value).toEqual({ n: 1 });
      await won;
    });
  });

  describe('lists', () => {
    test('hold the keys of a prefix in order', async () => {
      const store = await filled(await open(), 3000);
      const page = store.list('/pods/');
      expect(keys(page.entries)).toEqual(Array.from({ length: 3000 }, (_, i) => `/pods/${String(i).padStart(5, '0')}`));
      expect([page.remaining, page.next, store.count('/pods/'), store.count('')]).toEqual([0, undefined, 3000, 3003]);
    });

    test('in pages hold every key once, as of the first page, whatever happens in between', async () => {
      const store = await filled(await open(), 1000);
      const whole = keys(store.list('/pods/').entries);
      let page = store.list('/pods/', { limit: 90 });
      const seen = keys(page.entries);
      const at = page.revision;
      for (let i = 0; page.next !== undefined; i++) {
        await Promise.all([
          remove(store, `/pods/${String(999 - i).padStart(5, '0')}`),
          remove(store, `/pods/${String(i).padStart(5, '0')}`),
          put(store, `/pods/00500-${i}`),
          put(store, '/pods/00700', { round: i }),
        ]);
        page = store.list('/pods/', { at, limit: 90, after: page.next });
        seen.push(...keys(page.entries));
        expect(seen.length + page.remaining).toBe(1000);
        expect(page.revision).toBe(at);
      }
      expect(seen).toEqual(whole);
      expect(store.count('/pods/')).toBe(1000 - 11);
    });

    test('lists of an older revision contain the states of that time', async () => {
      const store = await open();
      await put(store, '/a', { n: 1 });
      await put(store, '/b', { n: 1 });
      await put(store, '/a', { n: 2 });
      await remove(store, '/b');
      await put(store, '/b', { n: 2 });
      const states = [0, 1, 2, 3, 4, 5].map((at) =>
        store.list('/', { at }).entries.map(({ key, revision }) => `${key}@${revision}`),
      );
      expect(states).toEqual([[], ['/a@1'], ['/a@1', '/b@2'], ['/a@3', '/b@2'], ['/a@3'], ['/a@3', '/b@5']]);
    });

    test('reads of a revision that does not exist yet are refused', async () => {
      const store = await open();
      expect(() => store.list('/', { at: 1 })).toThrow(expect.objectContaining({ code: 'future' }));
    });

    test('accept an `after` outside of the prefix', async () => {
      const store = await filled(await open(), 3);
      expect(keys(store.list('/pods/', { after: '/a' }).entries)).toHaveLength(3);
      expect(keys(store.list('/pods/', { after: '/z' }).entries)).toEqual([]);
    });

    test('stay right through ten thousand random changes', async () => {
      const store = await open();
      const model = new Set<string>();
      let seed = 42;
      const random = (below: number): number => {
        seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
        return (seed >>> 8) % below;
      };
      const done: Promise<Entry>[] = [];
      for (let i = 0; i < 10_000; i++) {
        const key = `/${random(3)}/${random(1500)}`;
        const dies = model.has(key) && random(3) > 0;
        done.push(dies ? remove(store, key) : put(store, key));
        if (dies) model.delete(key);
        else model.add(key);
        if (random(100) === 0) await done.at(-1);
      }
      await Promise.all(done);
      const sorted = [...model].sort();
      expect(keys(store.list('').entries)).toEqual(sorted);
      const ones = sorted.filter((key) => key.startsWith('/1/'));
      expect(store.count('/1/')).toBe(ones.length);
      expect(keys(store.list('/1/', { after: '/1/5', limit: 100 }).entries)).toEqual(
        ones.filter((key) => key > '/1/5').slice(0, 100),
      );
    });
  });

  describe('watches', () => {
    test('show every change of a prefix after a revision, in order, once', async () => {
      const store = await open();
      await put(store, '/a/1', { n: 1 });
      await put(store, '/b/1');
      await put(store, '/a/1', { n: 2 });
      const seen = follow(store, '/a/', 1);
      await remove(store, '/a/1');
      await put(store, '/a/1', { n: 3 });
      await put(store, '/a/2');
      await seen.until(() => seen.events.length === 4);
      expect(shown(seen.events)).toEqual(['updated /a/1@3', 'deleted /a/1@4', 'created /a/1@5', 'created /a/2@6']);
      const [updated, deleted, created] = seen.events;
      expect([updated?.before?.value, updated?.entry.value]).toEqual([{ n: 1 }, { n: 2 }]);
      expect([deleted?.before?.revision, deleted?.entry.value]).toEqual([3, { n: 2 }]);
      expect(created?.before).toBeUndefined();
    });

    test('show a change only when it can be read', async () => {
      const store = await open();
      const readable: boolean[] = [];
      store.watch('', 0, {
        onEvents: (events) => {
          for (const { entry } of events)
            readable.push(store.get(entry.key) === entry, store.revision >= entry.revision);
        },
        onEnd: () => {},
      });
      await put(store, '/a');
      expect(readable).toEqual([true, true]);
    });

    test('started at any moment of a burst have no gap and no double', async () => {
      const store = await open();
      const followers: ReturnType<typeof follow>[] = [];
      const starts: number[] = [];
      const writes: Promise<unknown>[] = [];
      for (let i = 0; i < 5000; i++) {
        writes.push(put(store, `/x/${i % 700}`, { i }));
        if (i % 250 !== 0) continue;
        for (const from of [0, store.revision >> 1, store.revision]) {
          starts.push(from);
          followers.push(follow(store, '/x/', from));
        }
        await writes.at(-1);
      }
      await Promise.all(writes);
      for (const [i, follower] of followers.entries()) {
        const from = starts[i] ?? 0;
        await follower.until(() => follower.events.length >= 5000 - from);
        const revisions = follower.events.map((event) => event.entry.revision);
        expect(revisions).toEqual(Array.from({ length: 5000 - from }, (_, j) => from + j + 1));
      }
    });

    test('show nothing more once closed, not even from within', async () => {
      const store = await open();
      await put(store, '/a');
      const late = follow(store, '', 0);
      late.close();
      const seen: number[] = [];
      const watch = store.watch('', 1, {
        onEvents: (events) => {
          seen.push(...events.map((event) => event.entry.revision));
          watch.close();
        },
        onEnd: () => {},
      });
      await put(store, '/a');
      await put(store, '/a');
      expect([seen, late.events]).toEqual([[2], []]);
    });

    test('opened while others are served start where they were asked to', async () => {
      const store = await open();
      const inner: ReturnType<typeof follow>[] = [];
      store.watch('/', 0, {
        onEvents: () => {
          if (inner.length === 0) inner.push(follow(store, '/', store.revision), follow(store, '/a', store.revision));
        },
        onEnd: () => {},
      });
      await put(store, '/a');
      await put(store, '/a');
      expect(inner.map((each) => shown(each.events))).toEqual([['updated /a@2'], ['updated /a@2']]);
    });

    test('reads of a revision that does not exist yet are refused', async () => {
      const store = await open();
      expect(() => follow(store, '/', 1)).toThrow(expect.objectContaining({ code: 'future' }));
    });

    test('end when the store closes', async () => {
      const store = await open();
      const seen = follow(store, '', 0);
      await store.close();
      expect(seen.ends).toEqual(['closed']);
      await expect(put(store, '/a')).rejects.toMatchObject({ code: 'closed' });
      expect(() => follow(store, '', 0)).toThrow(expect.objectContaining({ code: 'closed' }));
    });
  });

  describe('compaction', () => {
    test('takes the past away, and nothing else', async () => {
      const store = await open();
      await put(store, '/a', { n: 1 });
      await put(store, '/b', { n: 1 });
      await put(store, '/a', { n: 2 });
      await remove(store, '/b');
      await put(store, '/c');
      await store.compact(3);
      expect(store.compacted).toBe(3);
      expect(() => store.list('', { at: 2 })).toThrow(expect.objectContaining({ code: 'compacted' }));
      expect(() => follow(store, '', 2)).toThrow(expect.objectContaining({ code: 'compacted' }));
      expect(keys(store.list('', { at: 3 }).entries)).toEqual(['/a', '/b']);
      const seen = follow(store, '', 3);
      await seen.until(() => seen.events.length === 2);
      expect(shown(seen.events)).toEqual(['deleted /b@4', 'created /c@5']);
      await store.compact(5);
      await store.compact(4);
      expect([store.compacted, store.revision, keys(store.list('').entries)]).toEqual([5, 5, ['/a', '/c']]);
    });

    test('a watch from a revision that does not exist yet is refused', async () => {
      const store = await open();
      await expect(store.compact(1)).rejects.toMatchObject({ code: 'future' });
    });

    test('ends a watch that has not come so far, and no other', async () => {
      const store = await open();
      await Promise.all(Array.from({ length: 6000 }, (_, i) => put(store, `/${i % 10}`)));
      const live = follow(store, '', 6000);
      const late = follow(store, '', 0);
      await store.compact(6000);
      await late.until(() => late.ends.length + Number(late.events.length === 6000) > 0);
      const seen = late.events.map((event) => event.entry.revision);
      expect(seen).toEqual(seen.map((_, i) => i + 1));
      expect([late.ends, seen.length < 6000].toString()).toBe(seen.length === 6000 ? ',false' : 'compacted,true');
      await put(store, '/after');
      expect([live.ends, shown(live.events)]).toEqual([[], ['created /after@6001']]);
    });

    test('happens by itself when the past is old', async () => {
      const store = await open({ retention: { age: 1 } });
      for (let i = 0; i < 3; i++) await put(store, '/a', { i });
      while (store.compacted < 3) await new Promise(setImmediate);
      expect(store.get('/a')?.value).toEqual({ i: 2 });
    });

    test('happens by itself when the past grows too long or too big', async () => {
      const long = await open({ retention: { changes: 100 } });
      for (let i = 0; i < 300; i++) await put(long, '/a', { i });
      expect(long.revision - long.compacted).toBeLessThanOrEqual(105);
      expect(long.compacted).toBeGreaterThan(150);
      const big = await open({ retention: { bytes: 1 << 20 } });
      for (let i = 0; i < 300; i++) await put(big, '/a', { i, text: 'x'.repeat(10_000) });
      expect(big.revision - big.compacted).toBeLessThanOrEqual(110);
    });
  });

  describe('a backup', () => {
    test('can be taken while writes go on, and restored', async () => {
      const store = await open();
      await Promise.all(Array.from({ length: 500 }, (_, i) => put(store, `/x/${i}`, { i })));
      await remove(store, '/x/7');
      const file = join(folder(), 'backup.db');
      const writes = Array.from({ length: 500 }, (_, i) => put(store, `/y/${i}`, { i }));
      await Promise.all([store.backup(file), ...writes]);

      const dataDir = join(folder(), 'restored');
      const { revision } = await restoreStore(file, dataDir);
      const restored = await openStore({ dataDir });
      opened.push(restored);
      expect(keys(restored.list('/x/').entries)).toEqual(keys(store.list('/x/').entries));
      expect(restored.get('/x/8')).toMatchObject({ revision: 9, created: 9, value: { i: 8 } });
      expect([restored.revision, restored.compacted]).toEqual([revision, revision]);
      expect(revision).toBeGreaterThan(store.revision);
      expect(() => restored.list('', { at: store.revision })).toThrow(expect.objectContaining({ code: 'compacted' }));
      expect((await put(restored, '/x/8')).revision).toBe(revision + 1);
    });

    test('a write that is under way when the store closes is finished', async () => {
      const store = await open();
      await put(store, '/a');
      const file = join(folder(), 'backup.db');
      const backup = store.backup(file);
      await store.close();
      await backup;
      await restoreStore(file, join(folder(), 'restored'));
    });

    test('overwrites nothing', async () => {
      const store = await open();
      await put(store, '/a');
      const file = join(folder(), 'backup.db');
      await store.backup(file);
      await expect(store.backup(file)).rejects.toThrow(/backup.db exists already/);
      const dataDir = folder();
      await restoreStore(file, dataDir);
      await expect(restoreStore(file, dataDir)).rejects.toThrow(/has a store already/);
    });
  });
});
