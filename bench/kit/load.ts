import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { Answer, Endpoint, HubProcess } from './hubprocess.ts';

/** One request of a load. */
export interface Shot {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
  /** In whose name the administrator asks; absent: in its own. */
  readonly as?: string;
}

/** The result of a load. */
export interface Load {
  readonly count: number;
  /** Shots 0 … sent - 1 were sent and answered, those of the warm-up included. */
  readonly sent: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the hub's CPU for each: of its main thread, and of all. */
  readonly mainCpu: number;
  readonly cpu: number;
}

/** Connections of HTTP/1.1 that are kept, as many as requests at a time; or one of HTTP/2 for all of them. */
export function poolOf({ url, ca, user }: Endpoint, requests: number, http2 = false): Pool {
  return new Pool(url, {
    connect: { ca, cert: user.certificate, key: user.key },
    allowH2: http2,
    ...(http2 ? { connections: 1, maxConcurrentStreams: requests } : { connections: requests }),
  });
}

/** Sends one request; resolves with the length of its answer, which is read and thrown away. */
export function send(pool: Pool, { method, path, type, body, as }: Shot): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let length = 0;
    const chunks: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_, code) {
        status = code;
      },
      onResponseData(_, chunk) {
        length += chunk.length;
        if (status >= 300) chunks.push(chunk);
      },
      onResponseEnd() {
        if (status < 300) resolve(length);
        else reject(new Error(`${method} ${path}: ${status} ${Buffer.concat(chunks).toString().slice(0, 500)}`));
      },
      onResponseError: (_, error) => reject(error),
    };
    const headers = {
      ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
      ...(as && { 'impersonate-user': as }),
    };
    pool.dispatch({ method, path, headers, body: body ?? null }, handler);
  });
}

export interface LoadOptions {
  readonly connections: number;
  /** Stops after so long, or so many. */
  readonly milliseconds?: number;
  readonly count?: number;
  /** All requests on one connection of HTTP/2, as kubectl and client-go send them. */
  readonly http2?: boolean;
}

/** Sends shot after shot on every connection, and measures the hub meanwhile. */
export async function load(hub: HubProcess, options: LoadOptions, shot: (i: number) => Shot): Promise<Load> {
  const { connections, milliseconds = Infinity, count = Infinity, http2 = false } = options;
  const pool = poolOf(hub, connections, http2);
  const times: number[] = [];
  let next = 0;
  const warmUp = Math.max(4 * connections, Math.min(count, 3000));
  const lane = async (until: number, most: number): Promise<void> => {
    while (next < most && performance.now() < until) {
      const from = performance.now();
      await send(pool, shot(next++));
      times.push(performance.now() - from);
    }
  };
  const lanes = (until: number, most: number): Promise<unknown> =>
    Promise.all(Array.from({ length: connections }, () => lane(until, most)));
  // Handshakes and the first compilation are not what is measured.
  await lanes(Infinity, Math.min(count, warmUp));
  times.length = 0;
  const before = await hub.ask({ do: 'usage' });
  const start = performance.now();
  await lanes(start + milliseconds, count);
  const seconds = (performance.now() - start) / 1000;
  const after = await hub.ask({ do: 'usage' });
  await pool.destroy();
  return { ...summary(times), sent: next, perSecond: times.length / seconds, ...cpuEach(before, after, times.length) };
}

/** Microseconds of CPU for each of so many. */
export function cpuEach(before: Answer, after: Answer, count: number): { mainCpu: number; cpu: number } {
  return { mainCpu: (after.mainCpu - before.mainCpu) / count, cpu: (after.cpu - before.cpu) / count };
}

/** Median and 99th percentile. */
export function summary(times: number[]): { count: number; p50: number; p99: number } {
  times.sort((a, b) => a - b);
  const count = times.length;
  return { count, p50: times[count >> 1] ?? Number.NaN, p99: times[Math.floor(count * 0.99)] ?? Number.NaN };
}
