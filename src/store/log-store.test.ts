import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
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
