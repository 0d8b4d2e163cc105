import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import type { Store, StoreEvent } from '../../src/store/index.ts';

const kills = 105;
const load = join(import.meta.dirname, 'store-load.ts');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-crash-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Change {
  readonly id: string;
  readonly verb: string;
  readonly key: string;
}

/** All that is known about the log from one kill to the next; a contradiction is a failure. */
class Checker {
  readonly history = new Map<number, Change>();
  readonly ids = new Set<string>();
  readonly state = new Map<string, number>();
  acknowledged = 0;

  /** Takes in the whole log that can be watched: what was known must be unchanged, what is new must follow without a gap. */
  async check(store: Store, acknowledgements: string): Promise<void> {
    const known = this.history.size;
    const events = await replay(store);
    expect(events.map(({ entry }) => entry.revision)).toEqual(events.map((_, i) => store.compacted + i + 1));
    expect(store.compacted).toBeLessThanOrEqual(known);
    for (const event of events) this.#take(event);
    expect(this.history.size).toBe(store.revision);
    for (const line of acknowledgements.split('\n').slice(0, -1)) this.#confirm(line);
    const listed = store.list('').entries.map((entry) => [entry.key, entry.revision, (entry.value as Entry).revision]);
    const expected = [...this.state].sort(([a], [b]) => (a < b ? -1 : 1));
    expect(listed).toEqual(expected.map(([key, revision]) => [key, revision, revision]));
  }

  #take({ type, entry, before }: StoreEvent): void {
    const { id, revision } = entry.value as Entry;
    expect(revision).toBe(entry.revision);
    const change = { id, verb: type === 'deleted' ? 'delete' : 'put', key: entry.key };
    const seen = this.history.get(revision);
    if (seen) return expect(change).toEqual(seen);
    expect(this.ids.has(id), `${id} is there twice`).toBe(false);
    expect([type === 'created', before?.revision]).toEqual([!this.state.has(entry.key), this.state.get(entry.key)]);
    this.ids.add(id);
    this.history.set(revision, change);
    if (type === 'deleted') this.state.delete(entry.key);
    else this.state.set(entry.key, revision);
  }

  #confirm(line: string): void {
    const [revision, id, verb, key] = line.split(' ');
    expect(this.history.get(Number(revision)), `acknowledged: ${line}`).toEqual({ id, verb, key });
    this.acknowledged++;
  }
}

interface Entry {
  readonly id: string;
  readonly revision: number;
}

function replay(store: Store): Promise<readonly StoreEvent[]> {
  const events: StoreEvent[] = [];
  if (store.compacted === store.revision) return Promise.resolve(events);
  return new Promise((resolve, reject) => {
    store.watch('', store.compacted, {
      onEvents: (batch) => {
        events.push(...batch);
        if (batch.at(-1)?.entry.revision === store.revision) resolve(events);
      },
      onEnd: reject,
    });
  });
}

/** Starts a writer and kills it: mostly in the midst of its writes, sometimes while it opens the store. */
async function runAndKill(dataDir: string, notes: string, run: number): Promise<void> {
  const writer = spawn(process.execPath, [load, dataDir, notes, String(run)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(writer, 'exit');
  if (run % 10 === 9) await delay(Math.random() * 250);
  else {
    await Promise.race([once(writer.stdout, 'data'), exit]);
    await delay(Math.random() * 250);
  }
  writer.kill('SIGKILL');
  expect(await exit).toEqual([null, 'SIGKILL']);
}

test(
  `after each of ${kills} kills every acknowledged write is there once, in an unbroken history`,
  { timeout: 240_000 },
  async () => {
    const dataDir = join(folder, 'data');
    const notes = join(folder, 'acknowledged');
    const checker = new Checker();
    for (let run = 0; run < kills; run++) {
      writeFileSync(notes, '');
      await runAndKill(dataDir, notes, run);
      const store = await openStore({ dataDir });
      await checker.check(store, readFileSync(notes, 'utf8'));
      await store.close();
    }
    console.log(`${kills} kills, ${checker.history.size} writes, ${checker.acknowledged} of them acknowledged`);
    expect(checker.acknowledged).toBeGreaterThan(kills * 20);
  },
);

test('killed while it makes its files, a store is made by the next to come', async () => {
  for (let run = 0; run < 20; run++) {
    const dataDir = join(folder, `fresh-${run}`);
    const writer = spawn(process.execPath, [load, dataDir, join(folder, 'fresh'), String(run)], { stdio: 'ignore' });
    const exit = once(writer, 'exit');
    while (!existsSync(dataDir)) await delay(1);
    await delay(Math.random() * 30);
    writer.kill('SIGKILL');
    await exit;
    const store = await openStore({ dataDir });
    expect(store.list('').entries.length).toBe(store.count('/load/'));
    await store.close();
  }
});
