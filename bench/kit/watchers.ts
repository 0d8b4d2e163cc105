import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import type { Endpoint } from './hubprocess.ts';

/** Open watches, each on a connection of its own. */
export interface Watchers {
  /** How many bytes arrived. */
  bytes(): number;
  close(): void;
}

/** The stamp that a written object carries, and which a watcher looks for in what it reads. */
export const stampOf = (now: number): string => `at=${now.toFixed(3)};`;
const stamp = /at=([\d.]+);/g;

/**
 * Opens so many watches. A sample of them reads the stamps and tells how old each was, in milliseconds;
 * the others only take the bytes, so that the load costs the hub's machine no more than it must.
 */
export async function watchers(
  { url, ca, user }: Endpoint,
  { path, count, sample }: { path: string; count: number; sample: number },
  onAge: (milliseconds: number) => void,
): Promise<Watchers> {
  const { hostname, port } = new URL(url);
  let bytes = 0;
  const one = (i: number): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), ca, cert: user.certificate, key: user.key });
      socket.once('error', reject);
      socket.once('data', () => resolve(socket));
      const read = i < sample ? agesIn(onAge) : undefined;
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        read?.(chunk);
      });
      socket.write(`GET ${path} HTTP/1.1\r\nhost: hub\r\n\r\n`);
    });
  const sockets = await Promise.all(Array.from({ length: count }, (_, i) => one(i)));
  return {
    bytes: () => bytes,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function agesIn(onAge: (milliseconds: number) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const now = performance.now();
    const text = rest + chunk.toString('latin1');
    let end = 0;
    for (const match of text.matchAll(stamp)) {
      onAge(now - Number(match[1]));
      end = match.index + match[0].length;
    }
    rest = text.slice(Math.max(end, text.length - 32));
  };
}
