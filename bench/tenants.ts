/**
 * Measures the latency of one tenant's small requests while another tenant sends sixteen large server-side applies at a time.
 * `npm run bench -- tenants`; `BENCH_MS` is the length of each part.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { thingsOf } from '../test/kit/objects.ts';
import type { Herd } from './kit/elephants.ts';
import { startHub } from './kit/hubprocess.ts';
import type { HubProcess } from './kit/hubprocess.ts';
import { poolOf, send, summary } from './kit/load.ts';
import type { Shot } from './kit/load.ts';
import type { Figure } from './kit/measure.ts';

const milliseconds = Number(process.env['BENCH_MS'] ?? 8000);
const maps = '/api/v1/namespaces/default/configmaps';
const things = '/apis/bench.example.com/v1/things';

const definition = thingsOf('bench.example.com');

const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'tenants' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: ['elephant', 'mouse'].map((name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name })),
};

async function prepare(hub: HubProcess): Promise<void> {
  const pool = poolOf(hub, 1);
  const post = (path: string, body: object): Promise<number> =>
    send(pool, { method: 'POST', path, body: JSON.stringify(body) });
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  await post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', binding);
  await post(maps, { metadata: { name: 'small' } });
  while (!(await send(pool, { method: 'GET', path: things }).catch(() => 0))) await setTimeout(20);
  await pool.destroy();
}

/** The times of the mouse while so many lanes of the elephant apply objects with so many fields. */
async function felt(hub: HubProcess, lanes: number, fields: number): Promise<readonly [number[], applies: number]> {
  const herd = lanes === 0 ? undefined : await elephants(hub, lanes, fields);
  const mice = poolOf(hub, 4);
  const until = performance.now() + milliseconds;
  const times: number[] = [];
  const mouse = async (lane: number): Promise<void> => {
    for (let i = 0; performance.now() < until; i++) {
      const write: Shot = {
        method: 'PATCH',
        path: `${maps}/small`,
        type: 'application/merge-patch+json',
        body: `{"data":{"k${lane}":"${i}"}}`,
        as: 'mouse',
      };
      const shot: Shot = i % 2 === 0 ? { method: 'GET', path: `${maps}/small`, as: 'mouse' } : write;
      const from = performance.now();
      await send(mice, shot);
      times.push(performance.now() - from);
      await setTimeout(10);
    }
  };
  await Promise.all(Array.from({ length: 4 }, (_, lane) => mouse(lane)));
  await mice.destroy();
  return [times, herd ? await herd.applies : 0];
}

async function elephants(
  hub: HubProcess,
  lanes: number,
  fields: number,
): Promise<{ readonly applies: Promise<number> }> {
  const { url, ca, user, opened } = hub;
  const herd: Herd = { endpoint: { url, ca, user, opened }, lanes, fields, milliseconds };
  const thread = new Worker(new URL('kit/elephants.ts', import.meta.url), { workerData: herd });
  await once(thread, 'message');
  return { applies: once(thread, 'message').then(([applies]) => applies as number) };
}

/** The p99 of a tenant alone, and beside another. */
export async function run(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-tenants-'));
  const hub = await startHub(folder);
  try {
    await prepare(hub);
    const figures: Figure[] = [];
    for (const [lanes, fields] of [
      [0, 0],
      [16, 100],
      [16, 1000],
      [16, 10_000],
    ] as const) {
      const [times, applies] = await felt(hub, lanes, fields);
      const { p50, p99 } = summary(times);
      const beside = lanes === 0 ? 'alone' : `beside 16 applies of 1.5 MB in ${fields} fields`;
      const what = `p99 of a tenant ${beside} (p50 ${p50.toFixed(1)} ms, ${applies} applies)`;
      figures.push({ what, value: p99, unit: 'ms', budget: 200 });
    }
    return figures;
  } finally {
    await hub.close();
    rmSync(folder, { recursive: true });
  }
}
