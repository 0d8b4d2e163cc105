/**
 * Measures the embedded hub over HTTPS on this machine: `npm run bench -- hub`, or `node bench/hub.ts` for the table
 * alone. The hub runs in a process of its own on a disk of its own; this process is the load. On a machine that others
 * use, too, the CPU for each operation is the figure to compare. `BENCH_ONLY=put,get` runs some parts (put patch get
 * http2 list watch start), `BENCH_MS` is the length of each, `BENCH_FLAGS` are flags of Node for the hub, as
 * `--cpu-prof`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHub } from './kit/hubprocess.ts';
import type { HubProcess } from './kit/hubprocess.ts';
import { cpuEach, load, poolOf, send, summary } from './kit/load.ts';
import type { Load, Shot } from './kit/load.ts';
import type { Figure } from './kit/measure.ts';
import { tableOf } from './kit/measure.ts';
import { deployment } from './kit/objects.ts';
import { stampOf, watchers } from './kit/watchers.ts';

const connections = 64;
const milliseconds = Number(process.env['BENCH_MS'] ?? 4000);
const flags = process.env['BENCH_FLAGS']?.split(' ') ?? [];
const only = process.env['BENCH_ONLY']?.split(',');
const wanted = (part: string): boolean => !only || only.includes(part);

const collection = (i: number): string => `/apis/apps/v1/namespaces/team-${i % 100}/deployments`;
const place = (i: number): string => `${collection(i)}/web-${i}`;
const mergePatch = 'application/merge-patch+json';

function rate(what: string, budget: number, { perSecond, p50, p99, mainCpu, cpu }: Load): Figure {
  const words = `${what} (p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms)`;
  return { what: words, value: perSecond, unit: '/s', budget, atLeast: true, cpu: [mainCpu, cpu] };
}

async function namespaces(hub: HubProcess): Promise<void> {
  const pool = poolOf(hub, 8);
  for (let i = 0; i < 100; i++) {
    await send(pool, { method: 'POST', path: '/api/v1/namespaces', body: `{"metadata":{"name":"team-${i}"}}` });
  }
  await pool.destroy();
}

const most = 10_000;

/** Creates for a while, and then as many as the list needs; all that follows works on these. */
async function creates(hub: HubProcess): Promise<readonly [Figure, number]> {
  const shot = (i: number): Shot => ({ method: 'POST', path: collection(i), body: JSON.stringify(deployment(i)) });
  const made = await load(hub, { connections, milliseconds }, shot);
  const missing = Math.max(0, most - made.sent);
  if (missing > 0) await load(hub, { connections, count: missing }, (i) => shot(made.sent + i));
  return [rate('create 2 KB', 5000, made), made.sent + missing];
}

async function changes(hub: HubProcess, made: number): Promise<Figure[]> {
  let count = 0;
  const options = { connections, milliseconds };
  const put = (i: number): Shot => ({
    method: 'PUT',
    path: place(i % made),
    body: JSON.stringify(deployment(i % made, `${'u'.repeat(400)}${count++}`)),
  });
  const patch = (i: number): Shot => ({
    method: 'PATCH',
    path: place(i % made),
    type: mergePatch,
    body: JSON.stringify({ metadata: { annotations: { note: `${'p'.repeat(400)}${count++}` } } }),
  });
  const scale = (i: number): Shot => ({
    method: 'PATCH',
    path: place(i % made),
    type: mergePatch,
    body: JSON.stringify({ spec: { replicas: (count++ % 1000) + 10 } }),
  });
  const get = (i: number): Shot => ({ method: 'GET', path: place(i % made) });
  return [
    ...(wanted('put') ? [rate('update 2 KB', 5000, await load(hub, options, put))] : []),
    ...(wanted('patch') ? [rate('merge-patch metadata', 5000, await load(hub, options, patch))] : []),
    ...(wanted('patch') ? [rate('merge-patch spec', 5000, await load(hub, options, scale))] : []),
    ...(wanted('get') ? [rate('get', 10_000, await load(hub, options, get))] : []),
    ...(wanted('http2')
      ? [rate('merge-patch metadata, one HTTP/2', 5000, await load(hub, { ...options, http2: true }, patch))]
      : []),
    ...(wanted('http2') ? [rate('get, one HTTP/2', 10_000, await load(hub, { ...options, http2: true }, get))] : []),
  ];
}

async function lists(hub: HubProcess): Promise<Figure> {
  const pool = poolOf(hub, 1);
  const path = '/apis/apps/v1/deployments?limit=10000';
  const times: number[] = [];
  const length = await send(pool, { method: 'GET', path });
  const before = await hub.ask({ do: 'usage' });
  for (let i = 0; i < 7; i++) {
    const from = performance.now();
    await send(pool, { method: 'GET', path });
    times.push(performance.now() - from);
  }
  const after = await hub.ask({ do: 'usage' });
  await pool.destroy();
  const { mainCpu, cpu } = cpuEach(before, after, times.length);
  const what = `list 10,000 (${(length / 1e6).toFixed(1)} MB)`;
  return { what, value: summary(times).p50, unit: 'ms', budget: 250, cpu: [mainCpu, cpu] };
}

/** Writes at a steady rate while so many watch; what is late stays late, so that a stall shows in the ages. */
async function watches(hub: HubProcess, made: number): Promise<Figure> {
  const [count, perSecond, sample] = [200, 500, 5];
  const ages: number[] = [];
  const path = `${collection(0)}?watch=true`;
  const open = await watchers(hub, { path, count, sample }, (age) => ages.push(age));
  const pool = poolOf(hub, 32);
  const names = Math.max(1, Math.floor(made / 100));
  const write = (i: number): Promise<number> =>
    send(pool, {
      method: 'PATCH',
      path: place((i % names) * 100),
      type: mergePatch,
      body: JSON.stringify({ metadata: { annotations: { note: stampOf(performance.now()) } } }),
    });
  await Promise.all(Array.from({ length: 200 }, (_, i) => write(i)));
  ages.length = 0;
  const before = await hub.ask({ do: 'usage' });
  const start = performance.now();
  const pending: Promise<number>[] = [];
  while (performance.now() - start < milliseconds) {
    const due = ((performance.now() - start) / 1000) * perSecond;
    while (pending.length < due) pending.push(write(pending.length));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const after = await hub.ask({ do: 'usage' });
  open.close();
  await pool.destroy();
  const { p50, p99, count: seen } = summary(ages);
  const { mainCpu, cpu } = cpuEach(before, after, pending.length);
  if (seen < pending.length * sample) throw new Error(`${seen} of ${pending.length * sample} events arrived`);
  const what = `${count} watchers × ${perSecond} writes/s, write to event, p99 (p50 ${p50.toFixed(1)} ms)`;
  return { what, value: p99, unit: 'ms', budget: 50, cpu: [mainCpu, cpu] };
}

const memory = (what: string, bytes: number, budget?: number): Figure => ({
  what,
  value: bytes / (1 << 20),
  unit: 'MiB',
  ...(budget && { budget }),
});

/** How long a hub took to start, and what it cost. */
async function startFigure(what: string, budget: number, hub: HubProcess): Promise<Figure> {
  const { mainCpu, cpu } = await hub.ask({ do: 'usage' });
  return { what, value: hub.started, unit: 'ms', budget, cpu: [mainCpu, cpu] };
}

async function starts(folder: string): Promise<Figure[]> {
  const empty: Figure[] = [];
  for (let i = 0; i < 3; i++) {
    const hub = await startHub(join(folder, `empty-${i}`));
    empty.push(await startFigure('start on an empty directory', 1000, hub));
    await hub.close();
  }
  const dataDir = join(folder, 'large');
  const first = await startHub(dataDir);
  const pool = poolOf(first, 1);
  await send(pool, { method: 'POST', path: '/api/v1/namespaces', body: '{"metadata":{"name":"team-0"}}' });
  await send(pool, { method: 'POST', path: collection(0), body: JSON.stringify(deployment(0)) });
  await pool.destroy();
  await first.ask({ do: 'fill', like: 'web-0', count: 100_000 });
  const { rss } = await first.ask({ do: 'collect' });
  await first.close();
  const again = await startHub(dataDir);
  const figures = [
    ...empty.sort((a, b) => a.value - b.value).slice(1, 2),
    await startFigure('start on 100,000 objects', 5000, again),
    memory('memory with 100,000 objects, after writing them', rss),
    memory('memory with 100,000 objects, after the start', (await again.ask({ do: 'collect' })).rss, 700),
  ];
  await again.close();
  return figures;
}

async function loads(dataDir: string): Promise<Figure[]> {
  const hub = await startHub(dataDir, flags);
  await namespaces(hub);
  const [figure, made] = await creates(hub);
  const figures = [figure, ...(await changes(hub, made))];
  if (wanted('list')) figures.push(await lists(hub));
  if (wanted('watch')) figures.push(await watches(hub, made));
  await hub.close();
  return figures;
}

/** Everything; on an idle machine within a minute. */
export async function run(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const justStart = only?.every((part) => part === 'start') ?? false;
  try {
    return [...(justStart ? [] : await loads(join(folder, 'load'))), ...(wanted('start') ? await starts(folder) : [])];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) console.log(tableOf(await run()));
