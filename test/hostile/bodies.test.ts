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
/** Writes of eve are answered when this is resolved. */
let waiting = Promise.withResolvers<void>();
const open = new Set<{ destroy(): void }>();

beforeAll(async () => {
  authority = await openAuthority();
  hub = await createHub({
    store: memoryStore(),
    authority,
    admit: [
      async ({ user }) => {
        if (user.name === 'eve') await waiting.promise;
        return {};
      },
    ],
  });
  await grantAll();
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

/** Everybody whom the hub knows may do everything. */
async function grantAll(): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  const binding = {
    metadata: { name: 'all' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: group, kind: 'Group', name: 'system:authenticated' }],
  };
  const { status } = await hub.handle({
    method: 'POST',
    path: `/apis/${group}/v1/clusterrolebindings`,
    query: '',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(binding)),
    peer: { commonName: 'root', organizations: ['system:masters'] },
  });
  expect(status).toBe(201);
}

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
function start(
  client: ClientHttp2Session,
  bytes: string,
  user = '',
): { stream: ClientHttp2Stream; status: Promise<number> } {
  const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/json' };
  const stream = client.request({ ...headers, ...(user && { 'impersonate-user': user }) });
  stream.on('error', () => {});
  stream.write(bytes);
  const status = new Promise<number>((resolve) => {
    stream.on('response', (headers) => resolve(Number(headers[':status'])));
    stream.on('close', () => resolve(0));
  });
  return { stream, status };
}

function write(client: ClientHttp2Session, name: string, user = ''): Promise<number> {
  const { stream, status } = start(client, JSON.stringify({ metadata: { name } }), user);
  stream.end();
  return status;
}

const large = (name: string): string => `{"metadata":{"name":"${name}"},"data":{"a":"${'x'.repeat(900_000)}"}}`;

/** Sends a whole large write, and resolves with the status. */
function writeLarge(client: ClientHttp2Session, name: string, user = ''): Promise<number> {
  const { stream, status } = start(client, large(name), user);
  stream.end();
  return status;
}

test('bodies of many users beyond the limit are refused with 429; ordinary writes and the administrator go on', async () => {
  const begun = Array.from({ length: 12 }, (_, i) => start(session(patient), ' '.repeat(megabyte), `user${i}`));
  expect(await Promise.race(begun.map(({ status }) => status))).toBe(429);
  expect(await write(session(patient), 'beside', 'ann')).toBe(201);
  expect(await writeLarge(session(patient), 'administrator')).toBe(201);
  for (const { stream } of begun) stream.session?.destroy();
  await until('a large write is taken again', async () => (await writeLarge(session(patient), 'again', 'ann')) === 201);
});

test('one user cannot take the part of the others', async () => {
  const begun = Array.from({ length: 4 }, () => start(session(patient), ' '.repeat(megabyte), 'ann'));
  expect(await Promise.race(begun.map(({ status }) => status))).toBe(429);
  expect(await writeLarge(session(patient), 'of-ben', 'ben')).toBe(201);
});

test('a body counts until its request is answered', async () => {
  waiting = Promise.withResolvers();
  const client = session(patient);
  const writes = Array.from({ length: 3 }, (_, i) => writeLarge(client, `slow${i}`, 'eve'));
  expect(await Promise.race(writes)).toBe(429);
  waiting.resolve();
  expect((await Promise.all(writes)).toSorted((a, b) => a - b)).toEqual([201, 201, 429]);
  await until('the bytes are given back', async () => (await writeLarge(client, 'later', 'eve')) === 201);
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
