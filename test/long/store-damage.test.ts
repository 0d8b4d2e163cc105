import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore, StoreError } from '../../src/store/index.ts';
import type { Store } from '../../src/store/index.ts';

const rounds = 150;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-damage-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const chance = (below: number): number => Math.floor(Math.random() * below);

/**
 * The content that can be read now. The past that the compaction left readable does not count: losing it does no harm.
 */
const contentOf = (store: Store): unknown[] => [
  store.revision,
  ...store.list('').entries.map(({ key, revision, created, bytes }) => [key, revision, created, bytes.toString()]),
];

async function makeStore(dataDir: string, crashed: string): Promise<unknown[]> {
  const store = await openStore({ dataDir });
  const value = (i: number): object => ({ i, text: 'x'.repeat((i * 7) % 3000) });
  await Promise.all(
    Array.from({ length: 400 }, (_, i) => store.write({ verb: 'put', key: `/x/${i}`, value: value(i) })),
  );
  for (let i = 0; i < 100; i += 3) await store.write({ verb: 'delete', key: `/x/${i}` });
  await store.compact(420);
  execFileSync('cp', ['-r', dataDir, crashed]);
  const content = contentOf(store);
  await store.close();
  return content;
}

/** Flips a bit, or overwrites a stretch with zeros or noise; every fifth time in the file's header. */
function damage(file: string, round: number): string {
  const bytes = readFileSync(file);
  const at = round % 5 === 0 ? chance(100) : chance(bytes.length);
  const length = 1 + chance(round % 3 === 1 ? 4096 : 64);
  const end = Math.min(at + length, bytes.length);
  if (round % 3 === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << chance(8));
  else if (round % 3 === 1) bytes.fill(0, at, end);
  else for (let i = at; i < end; i++) bytes[i] = chance(256);
  writeFileSync(file, bytes);
  return `${file}: ${length} bytes at ${at}, kind ${round % 3}`;
}

test(`each of ${rounds} damaged stores is refused by name or has lost nothing`, async () => {
  const [whole, crashed, damaged] = ['whole', 'crashed', 'damaged'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const content = await makeStore(whole, crashed);
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    rmSync(damaged, { recursive: true, force: true });
    cpSync(round % 2 ? crashed : whole, damaged, { recursive: true });
    const what = damage(join(damaged, round % 2 ? 'store.db-wal' : 'store.db'), round);
    let store: Store | undefined;
    try {
      store = await openStore({ dataDir: damaged });
    } catch (error) {
      expect((error as Error).message, what).toContain(join(damaged, 'store.db'));
      if (error instanceof StoreError) expect(error.code, what).toMatch(/corrupt|version/);
      refused++;
    }
    if (store) expect(contentOf(store), what).toEqual(content);
    await store?.close();
  }
  expect(refused).toBeGreaterThan(rounds / 4);
});
