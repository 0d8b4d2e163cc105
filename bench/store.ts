/**
 * Measures the store on this machine: `node bench/store.ts [objects]`. Each figure is measured in a process of its own,
 * so that none inherits another's heap.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/store/index.ts';
import type { Store } from '../src/store/index.ts';
import { deployment } from './kit/objects.ts';

const [, script = '', first, second] = process.argv;

const keyOf = (i: number): string => `/apps/deployments/team-${i % 100}/web-${i}`;

/** Runs `work` for 0 … count - 1 with so many at a time. */
async function each(count: number, concurrency: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

function best(runs: number, work: () => unknown): number {
  let least = Infinity;
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

const ms = (milliseconds: number): string => `${milliseconds.toFixed(milliseconds < 10 ? 2 : 0)} ms`;
const mib = (bytes: number): string => `${Math.round(bytes / (1 << 20))} MiB`;
const show = (what: string, figure: string): void => console.log(`${what.padEnd(52)} ${figure}`);
const put = (store: Store, i: number): Promise<unknown> =>
  store.write({ verb: 'put', key: keyOf(i), value: deployment(i) });

async function writes(dataDir: string, concurrency: number): Promise<void> {
  const store = await openStore({ dataDir });
  const count = concurrency === 1 ? 500 : 20_000;
  const times: number[] = [];
  const start = performance.now();
  await each(count, concurrency, async (i) => {
    const from = performance.now();
    await put(store, i);
    times.push(performance.now() - from);
  });
  const rate = (count / (performance.now() - start)) * 1000;
  times.sort((a, b) => a - b);
  const [p50 = 0, p99 = 0] = [times[count >> 1], times[Math.floor(count * 0.99)]];
  show(`durable writes of 2 KB, ${concurrency} at a time`, `${Math.round(rate)}/s, p50 ${ms(p50)}, p99 ${ms(p99)}`);
  await store.close();
}

async function fillUp(dataDir: string, count: number): Promise<void> {
  const store = await openStore({ dataDir });
  await each(count, 256, (i) => put(store, i));
  show(`memory after writing ${count} objects`, mib(process.memoryUsage.rss()));
  const deepest = best(1, () => globalThis.gc?.());
  show('  and after a collection, which took', `${mib(process.memoryUsage.rss())}, ${ms(deepest)}`);
  await store.close();
  show('  file', mib(statSync(join(dataDir, 'store.db')).size));
}

async function reads(dataDir: string, count: number): Promise<void> {
  const start = performance.now();
  const store = await openStore({ dataDir });
  show(`open with ${count} objects`, ms(performance.now() - start));
  show('memory after opening', mib(process.memoryUsage.rss()));
  show(`list all ${count}`, ms(best(5, () => store.list('/apps/deployments/'))));
  show(
    `list one namespace (${store.count('/apps/deployments/team-7/')})`,
    ms(best(20, () => store.list('/apps/deployments/team-7/'))),
  );
  const at = store.revision;
  await each(1000, 64, (i) => put(store, i));
  const pages = (): void => {
    let page = store.list('/apps/', { at, limit: 500 });
    while (page.next !== undefined) page = store.list('/apps/', { at, limit: 500, after: page.next });
  };
  show('list all in pages of 500, 1,000 changes later', ms(best(3, pages)));
  show(
    'get',
    `${(
      best(5, () => {
        for (let i = 0; i < 10_000; i++) store.get(keyOf(i));
      }) / 10
    ).toFixed(2)} µs`,
  );
  const before = performance.now();
  await store.backup(join(dataDir, 'backup.db'));
  show('backup', ms(performance.now() - before));
  await store.close();
}

function run(...words: readonly string[]): void {
  spawnSync(process.execPath, ['--expose-gc', script, ...words], { stdio: 'inherit' });
}

async function main(): Promise<void> {
  if (first === 'writes') return writes(String(second), Number(process.argv[4]));
  if (first === 'fill') return fillUp(String(second), Number(process.argv[4]));
  if (first === 'reads') return reads(String(second), Number(process.argv[4]));
  const count = String(Number(first ?? 100_000));
  const folder = mkdtempSync(join(tmpdir(), 'store-bench-'));
  try {
    run('writes', join(folder, 'a'), '1');
    run('writes', join(folder, 'b'), '64');
    for (const size of new Set(['10000', count])) {
      run('fill', join(folder, size), size);
      run('reads', join(folder, size), size);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) await main();
