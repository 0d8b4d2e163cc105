/**
 * A mixed load at a moderate rate for some minutes, to see what grows: `node bench/soak.ts [minutes] [writes a
 * second]`. Objects come and go in equal numbers, watches open and close, connections are closed and opened; so memory
 * after a collection and handles must be flat once the hub is warm and its store keeps as much of the past as it may.
 * Ends with a table of a dozen moments and a verdict, and with 1 when something grew or a request failed. An hour at 50
 * writes a second takes a tenth of a core: `nohup node bench/soak.ts 60 50 > soak.txt &`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHub } from './kit/hubprocess.ts';
import type { Answer, HubProcess } from './kit/hubprocess.ts';
import { poolOf, send, summary } from './kit/load.ts';
import { deployment } from './kit/objects.ts';
import { watchers } from './kit/watchers.ts';
import type { Watchers } from './kit/watchers.ts';

const minutes = Number(process.argv[2] ?? 8);
const writesPerSecond = Number(process.argv[3] ?? 300);
const objects = Math.min(1000, writesPerSecond * 10);
const windowSeconds = 15;
const windows = Math.max(8, Math.floor((minutes * 60) / windowSeconds));
/** How many lines the table has. */
const lines = 12;
const collection = '/apis/apps/v1/namespaces/soak/deployments';

interface Sample extends Answer {
  readonly at: number;
  readonly p50: number;
  readonly p99: number;
  readonly done: number;
}

/** One object's life: made, changed three ways, read, listed among others, deleted. */
class Life {
  readonly times: number[] = [];
  readonly #hub: HubProcess;
  #pool: ReturnType<typeof poolOf>;
  #next = 0;
  failures = 0;

  constructor(hub: HubProcess) {
    this.#hub = hub;
    this.#pool = poolOf(hub, 16);
  }

  /** One write, and now and then a read. Each slot has one object, so that turns of the same slot follow each other. */
  async step(): Promise<void> {
    const turn = this.#next++;
    const slot = turn % objects;
    const phase = Math.floor(turn / objects) % 5;
    await this.#timed(this.#write(slot, phase, turn));
    if (turn % 3 === 0 && phase < 4) await this.#timed(this.#send('GET', `${collection}/web-${slot}`));
    if (turn % 500 === 0) await this.#timed(this.#send('GET', `${collection}?limit=500`));
  }

  /** New connections, as clients come and go. */
  renew(): void {
    const old = this.#pool;
    this.#pool = poolOf(this.#hub, 16);
    void old.close();
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  #write(slot: number, phase: number, turn: number): Promise<number> {
    const place = `${collection}/web-${slot}`;
    const whole = { ...deployment(slot, `turn ${turn} ${'n'.repeat(400)}`) } as { metadata: object };
    const body = JSON.stringify({ ...whole, metadata: { ...whole.metadata, namespace: 'soak' } });
    if (phase === 0) return this.#send('POST', collection, body);
    if (phase === 1) return this.#send('PUT', place, body);
    if (phase === 2) {
      return this.#send('PATCH', place, `{"metadata":{"labels":{"turn":"${turn}"}}}`, 'application/merge-patch+json');
    }
    if (phase === 3) {
      const path = `${place}?fieldManager=soak&force=true`;
      const applied = `{"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas":${turn % 9}}}`;
      return this.#send('PATCH', path, applied, 'application/apply-patch+yaml');
    }
    return this.#send('DELETE', place);
  }

  #send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: string, type?: string) {
    return send(this.#pool, { method, path, ...(body && { body }), ...(type && { type }) });
  }

  async #timed(work: Promise<number>): Promise<void> {
    const from = performance.now();
    try {
      await work;
    } catch (error) {
      if (this.failures++ < 5) console.error(String(error));
    }
    this.times.push(performance.now() - from);
  }
}

/** Ten watches that stay, and ten that are closed and opened again every window. */
class Audience {
  readonly #hub: HubProcess;
  #steady: Watchers | undefined;
  #passing: Watchers | undefined;

  constructor(hub: HubProcess) {
    this.#hub = hub;
  }

  async change(): Promise<void> {
    const path = `${collection}?watch=true&allowWatchBookmarks=true`;
    const open = (): Promise<Watchers> => watchers(this.#hub, { path, count: 10, sample: 0 }, () => {});
    this.#steady ??= await open();
    this.#passing?.close();
    this.#passing = await open();
  }

  close(): void {
    this.#steady?.close();
    this.#passing?.close();
  }
}

const mib = (bytes: number): string => (bytes / (1 << 20)).toFixed(1).padStart(7);

async function measure(hub: HubProcess, life: Life, at: number): Promise<Sample> {
  const answer = await hub.ask({ do: 'collect' });
  const { count, p50, p99 } = summary(life.times.splice(0));
  return { ...answer, at, p50, p99, done: count };
}

function print({ at, rss, heapUsed, external, resources, done, p50, p99 }: Sample): void {
  const minute = (at / 60).toFixed(1).padStart(5);
  console.log(
    `${minute} min  heap ${mib(heapUsed)} MiB  external ${mib(external)}  rss ${mib(rss)}` +
      `  handles ${String(resources).padStart(3)}  ${done} done  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms`,
  );
}

/** Keeps the rate; a machine that cannot is given less, never a growing backlog. */
async function loadFor(life: Life, seconds: number): Promise<void> {
  const start = performance.now();
  const under = new Set<Promise<void>>();
  let begun = 0;
  while (performance.now() - start < seconds * 1000) {
    const due = ((performance.now() - start) / 1000) * writesPerSecond;
    if (under.size >= 64) begun = Math.ceil(due);
    for (; begun < due && under.size < 64; begun++) {
      const step = life.step().finally(() => under.delete(step));
      under.add(step);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(20, 500 / writesPerSecond)));
  }
  await Promise.all(under);
}

function median(samples: readonly Sample[], figure: (sample: Sample) => number): number {
  const values = samples.map(figure).sort((a, b) => a - b);
  return values[values.length >> 1] ?? Number.NaN;
}

/**
 * The measures that grew from the second quarter of the run to the last by more than a twentieth and the allowance for
 * noise.
 */
function grown(samples: readonly Sample[]): string[] {
  const quarter = Math.floor(samples.length / 4);
  const warm = samples.slice(quarter, 2 * quarter);
  const end = samples.slice(-quarter);
  const checks: [string, (sample: Sample) => number, number][] = [
    ['heap', ({ heapUsed }) => heapUsed, 4 << 20],
    ['external memory', ({ external }) => external, 8 << 20],
    // The allocator gives back late and in pieces.
    ['resident memory', ({ rss }) => rss, 16 << 20],
    ['handles', ({ resources }) => resources, 8],
  ];
  return checks.flatMap(([what, figure, slack]) => {
    const [before, after] = [median(warm, figure), median(end, figure)];
    const verdict = after > before * 1.05 + slack ? 'GREW' : 'flat';
    console.log(`${what.padEnd(16)} ${Math.round(before)} → ${Math.round(after)}  ${verdict}`);
    return verdict === 'GREW' ? [what] : [];
  });
}

function judge(samples: readonly Sample[], failures: number): void {
  const bad = grown(samples);
  const total = samples.reduce((sum, { done }) => sum + done, 0);
  const { cpu } = samples.at(-1) ?? { cpu: 0 };
  const share = (cpu / 1e4 / (samples.length * windowSeconds)).toFixed(1);
  console.log(`${total} requests, ${failures} failed; the hub took ${share} % of a core`);
  const fails = bad.length > 0 || failures > 0;
  console.log(fails ? `FAILED: ${[...bad, ...(failures > 0 ? ['failures'] : [])].join(', ')}` : 'PASSED: nothing grew');
  if (fails) process.exitCode = 1;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-soak-'));
  const hub = await startHub(folder);
  const life = new Life(hub);
  const audience = new Audience(hub);
  try {
    const pool = poolOf(hub, 1);
    await send(pool, { method: 'POST', path: '/api/v1/namespaces', body: '{"metadata":{"name":"soak"}}' });
    await pool.destroy();
    const samples: Sample[] = [];
    for (let i = 1; i <= windows; i++) {
      await audience.change();
      life.renew();
      await loadFor(life, windowSeconds);
      const sample = await measure(hub, life, i * windowSeconds);
      samples.push(sample);
      if (i % Math.ceil(windows / lines) === 0) print(sample);
    }
    judge(samples, life.failures);
  } finally {
    audience.close();
    await life.close();
    await hub.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await main();
