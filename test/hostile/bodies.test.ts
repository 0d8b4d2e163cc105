import { connect } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { connect as tlsConnect } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createHub, listen } from '../../src/apiserver/index.ts';
import type { Hub, Listener } from '../../src/apiserver/index.ts';
import { openAuthority } from '../../src/auth/index.ts';
import type { Authority } from '../../src/auth/index.ts';
import { memoryStore } from '../../src/store/index.ts';
import { until } from '../kit/until.ts';

const megabyte = 1024 * 1024;
const path = '/api/v1/namespaces/default/configmaps';
let authority: Authority;
let hub: Hub;
let patient: Listener;
let hasty: Listener;
const open = new Set<{ destroy(): void }>();

beforeAll(async () => {
  authority = await openAuthority();
  hub = await createHub({ store: memoryStore(), authority });
  const words = { hub, serving: authority.serving, clientAuthority: authority.certificate, port: 0 };
  patient = await listen({ ...words, bodies: { bytes: 8 * megabyte } });
  hasty = await listen({ ...words, bodies: { milliseconds: 100 } });
});
afterEach(() => {
  for (const one of open) one.destroy();
  open.clear();
});
afterAll(async () => {
  await patient.close();
  await hasty.close();
  await hub.close();
});

const credentials = (): object => {
  const { certificate: cert, key } = authority.admin;
  return { ca: authority.certificate, cert, key };
};

function session({ port }: Listener): ClientHttp2Session {
  const made = connect(`https://127.0.0.1:${port}`, credentials());
  made.on('error', () => {});
  open.add(made);
  return made;
}

/** Sends the start of a body, which has no end, and resolves with the status, or 0 when the stream is closed without one. */
function start(client: ClientHttp2Session, bytes: string): { stream: ClientHttp2Stream; status: Promise<number> } {
  const stream = client.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' });
  stream.on('error', () => {});
  stream.write(bytes);
  const status = new Promise<number>((resolve) => {
    stream.on('response', (headers) => resolve(Number(headers[':status'])));
    stream.on('close', () => resolve(0));
  });
  return { stream, status };
}

function write(client: ClientHttp2Session, name: string): Promise<number> {
  const { stream, status } = start(client, JSON.stringify({ metadata: { name } }));
  stream.end();
  return status;
}

test('unfinished bodies beyond the limit are refused with 429, and ordinary writes go on', async () => {
  const begun = Array.from({ length: 12 }, () => start(session(patient), ' '.repeat(megabyte)));
  expect(await Promise.race(begun.map(({ status }) => status))).toBe(429);
  expect(await write(session(patient), 'beside')).toBe(201);
  for (const { stream } of begun) stream.session?.destroy();
  await until('a large write is taken again', async () => {
    const large = start(session(patient), `{"metadata":{"name":"large"},"data":{"a":"${'x'.repeat(900_000)}"}}`);
    large.stream.end();
    return (await large.status) === 201;
  });
});

test('a body that does not end is given up: the stream of HTTP/2 alone, the connection of HTTP/1.1', async () => {
  const client = session(hasty);
  expect(await start(client, '{').status).toBe(0);
  expect(await write(client, 'after')).toBe(201);
  const closed = await new Promise((resolve) => {
    const socket = tlsConnect({ port: hasty.port, ...credentials(), ALPNProtocols: ['http/1.1'] }, () =>
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`),
    );
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => resolve('closed'));
  });
  expect(closed).toBe('closed');
});
