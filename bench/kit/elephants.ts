/** The tenant with large applies, on a thread of its own: making and sending them must not delay the one that is measured. */
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { Endpoint } from './hubprocess.ts';
import { poolOf, send } from './load.ts';

/** The data that the thread gets. */
export interface Herd {
  readonly endpoint: Endpoint;
  readonly lanes: number;
  readonly fields: number;
  readonly milliseconds: number;
}

const { endpoint, lanes, fields, milliseconds } = workerData as Herd;
const port = parentPort as MessagePort;
const things = '/apis/bench.example.com/v1/things';

/** A megabyte and a half in so many fields; every one of them differs from round to round. */
function large(name: string, round: number): string {
  const value = `${round}-${'x'.repeat(Math.floor(1_450_000 / fields) - 40)}`;
  const spec = Object.fromEntries(Array.from({ length: fields }, (_, i) => [`field${i}`, value]));
  return JSON.stringify({ apiVersion: 'bench.example.com/v1', kind: 'Thing', metadata: { name }, spec });
}

const pool = poolOf(endpoint, lanes);
let applies = 0;
const herd = Array.from({ length: lanes }, (_, lane) => {
  const name = `o${lane}-${fields}`;
  return { path: `${things}/${name}?fieldManager=m&force=true`, bodies: [large(name, 0), large(name, 1)] };
});
port.postMessage('ready');
const until = performance.now() + milliseconds;
await Promise.all(
  herd.map(async ({ path, bodies }) => {
    for (let round = 0; performance.now() < until; round++) {
      const body = bodies[round % 2] ?? '';
      await send(pool, { method: 'PATCH', path, type: 'application/apply-patch+yaml', body, as: 'elephant' });
      applies++;
    }
  }),
);
await pool.destroy();
port.postMessage(applies);
