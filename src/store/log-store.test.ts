import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { SlowDisk } from '../../test/kit/gate.ts';
import { memoryStore, openStore } from './index.ts';
import type { Entry, Store } from './index.ts';

const undo: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

function opened(store: Store): Store {
  undo.push(() => store.close());
  return store;
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'store-'));
  undo.push(() => rmSync(made, { recursive: true }));
  return made;
}

const put = (store: Store, key: string): Promise<Entry> => store.write({ verb: 'put', key, value: { key } });

describe('a write that is accepted', () => {
  test('is told at once with its revision, and is not there before it is durable', async () => {
    const disk = new SlowDisk();
    const store = opened(disk.store());
    disk.hold();
    const accepted: Entry[] = [];
    const write = store.write({ verb: 'put', key: 'a', value: { a: 1 }, accepted: (entry) => accepted.push(entry) });
    expect(accepted).toMatchObject([{ key: 'a', revision: 1, value: { a: 1 } }]);
    expect(Object.isFrozen(accepted[0]?.value)).toBe(true);
    expect([store.get('a'), store.revision]).toEqual([undefined, 0]);
    disk.release();
    expect(await write).toBe(accepted[0]);
  });

  test('is followed by others: who waits for one hears of it when it is durable', async () => {
    const disk = new SlowDisk();
    const store = opened(disk.store());
    disk.hold();
    const first = put(store, 'a');
    await Promise.resolve();
    const second = put(store, 'b');
    let landed = 0;
    const waits = [1, 2].map((revision) => store.landed(revision).then(() => (landed += revision)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(landed).toBe(0);
    disk.release();
    await Promise.all([first, second, ...waits]);
    expect(landed).toBe(3);
    await store.landed(2);
    await expect(store.landed(3)).rejects.toThrow('revision 3 has not been given out');
  });

  test('and never becomes durable disappoints whoever waits for it', async () => {
    const disk = new SlowDisk();
    const store = opened(disk.store());
    disk.hold();
    const write = put(store, 'a');
    const landed = store.landed(1);
    disk.fail();
    await expect(write).rejects.toThrow('no space');
    await expect(landed).rejects.toThrow('no space');
  });

  test('is not told when it is refused', async () => {
    const store = opened(memoryStore());
    await put(store, 'a');
    const accepted: Entry[] = [];
    const again = { verb: 'put', key: 'a', value: {}, revision: 0 } as const;
    await expect(store.write({ ...again, accepted: (entry) => accepted.push(entry) })).rejects.toThrow(
      'was expected not to exist',
    );
    expect(accepted).toEqual([]);
  });
});

describe('a watcher that writes while it is told', () => {
  test.each([
    ['in memory', async () => opened(memoryStore())],
    ['on disk', async () => opened(await openStore({ dataDir: folder() }))],
  ])('gets the next revisions, %s', async (_, open) => {
    const store = await open();
    const answers: Promise<Entry>[] = [];
    store.watch('/asked/', 0, {
      onEvents: (events) => {
        for (const { entry } of events) answers.push(put(store, entry.key.replace('asked', 'answered')));
      },
      onEnd: () => {},
    });
    await Promise.all(['/asked/1', '/asked/2', '/asked/3'].map((key) => put(store, key)));
    expect((await Promise.all(answers)).map((entry) => entry.revision)).toEqual([4, 5, 6]);
    expect((await put(store, '/last')).revision).toBe(7);
    expect(store.revision).toBe(7);
  });
});
