import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request as dial } from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAuthority } from '../../auth/index.ts';
import type { Authority, KeyPair } from '../../auth/index.ts';
import { memoryStore } from '../../store/index.ts';
import type { Store } from '../../store/index.ts';
import type { HubRequest } from '../http.ts';
import { createHub } from '../hub.ts';
import type { Hub } from '../hub.ts';
import { listen } from './listener.ts';
import type { Listener } from './listener.ts';

let folder: string;
let authority: Authority;
let store: Store;
let hub: Hub;
let listener: Listener;
const seen: HubRequest[] = [];

beforeAll(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'sluice-listener-')), 'pki');
  authority = await openAuthority({ folder });
  store = memoryStore();
  hub = await createHub({ store, authority });
  const watching = {
    recognize: (request: HubRequest) => hub.recognize(request),
    handle: (request: HubRequest) => {
      seen.push(request);
      return hub.handle(request);
    },
  };
  const { serving, certificate: clientAuthority } = authority;
  listener = await listen({ hub: watching, serving, clientAuthority, port: 0 });
});
afterAll(async () => {
  await listener.close();
  await hub.close();
  await store.close();
  await rm(path.dirname(folder), { recursive: true });
});

interface Sent {
  readonly pair?: KeyPair;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

type Answer = Pick<IncomingMessage, 'headers'> & { readonly status: number; readonly text: string };

async function send(line: string, { pair, headers = {}, body }: Sent = {}): Promise<Answer> {
  const [method = '', url = ''] = line.split(' ');
  const request = dial({
    host: '127.0.0.1',
    port: listener.port,
    method,
    path: url,
    headers,
    agent: false,
    ca: authority.certificate,
    ...(pair && { cert: pair.certificate, key: pair.key }),
  });
  request.on('error', () => undefined);
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks = (await response.toArray()) as Buffer[];
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), headers: response.headers };
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string): string => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const json = { 'content-type': 'application/json' };

describe('over a socket', () => {
  it('the administrator comes in with a certificate, and others with theirs', async () => {
    const { admin: pair } = authority;
    expect((await send(`POST ${configMaps}`, { pair, headers: json, body: configMap('a') })).status).toBe(201);
    const jane = authority.clientCertificate({ commonName: 'jane' });
    const { status, text } = await send(`GET ${configMaps}`, { pair: jane });
    expect([status, text]).toEqual([403, expect.stringContaining('User \\"jane\\" cannot list resource')]);
  });

  it('a connection is kept for who comes again within minutes', async () => {
    const { headers } = await send('GET /livez', { headers: { connection: 'keep-alive' } });
    expect(headers['keep-alive']).toBe('timeout=180');
  });

  it('nobody comes in without one, or with one of another authority', async () => {
    const otherAuthority = await openAuthority();
    expect((await send('GET /api')).status).toBe(401);
    expect((await send('GET /api', { pair: otherAuthority.admin })).status).toBe(401);
    expect((await send('GET /livez')).status).toBe(200);
  });

  it('the body of an unknown caller is never kept in memory, however large', async () => {
    const from = seen.length;
    const body = 'x'.repeat(2 * 1024 * 1024);
    expect((await send(`POST ${configMaps}`, { headers: json, body })).status).toBe(401);
    const headers = { ...json, authorization: 'Bearer a.b.c' };
    expect((await send(`POST ${configMaps}`, { headers, body })).status).toBe(401);
    expect(seen.slice(from).map((request) => request.body)).toEqual([undefined, undefined]);
  });

  it('a caller is authenticated once: the request with the body carries the user', async () => {
    const from = seen.length;
    const { admin: pair } = authority;
    expect((await send(`POST ${configMaps}`, { pair, headers: json, body: configMap('once') })).status).toBe(201);
    const [request] = seen.slice(from);
    expect(request?.caller).toMatchObject({
      name: 'kubernetes-admin',
      groups: ['system:masters', 'system:authenticated'],
    });
    if (!request) throw new Error('no request arrived');
    const { peer: _peer, ...withoutCredential } = request;
    const again = { ...withoutCredential, method: 'PUT', path: `${configMaps}/once` };
    expect((await hub.handle(again)).status).toBe(200);
    const { caller: _caller, ...withoutCaller } = again;
    expect((await hub.handle(withoutCaller)).status).toBe(401);
  });

  it('each impersonated group arrives as it was sent', async () => {
    const { admin: pair } = authority;
    const headers = { 'Impersonate-User': 'jane', 'Impersonate-Group': ['a, b', 'c'] };
    const who = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { text } = await send(`POST ${who}`, { pair, headers: { ...json, ...headers }, body: '{}' });
    const { status } = JSON.parse(text) as { status: { userInfo: { groups: string[] } } };
    expect(status.userInfo.groups).toEqual(['a, b', 'c', 'system:authenticated']);
  });

  it('headers cannot say who somebody is', async () => {
    for (const name of ['x-remote-user', 'x-forwarded-client-cert', 'user', 'peer'])
      expect((await send('GET /api', { headers: { [name]: 'system:masters' } })).status, name).toBe(401);
  });

  it('a renewed certificate is shown to whoever connects next, and callers are still known by theirs', async () => {
    const shown = async (): Promise<string> => {
      const socket = connect({
        port: listener.port,
        host: '127.0.0.1',
        servername: 'localhost',
        ca: authority.certificate,
      });
      await once(socket, 'secureConnect');
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      return serialNumber;
    };
    const before = await shown();
    expect(before).toBe(new X509Certificate(authority.serving.certificate).serialNumber);
    await rm(path.join(folder, 'server.crt'));
    const renewed = await openAuthority({ folder });
    listener.renew(renewed.serving);
    expect(await shown()).toBe(new X509Certificate(renewed.serving.certificate).serialNumber);
    expect(await shown()).not.toBe(before);
    expect((await send('GET /api', { pair: authority.admin })).status).toBe(200);
    expect((await send('GET /api')).status).toBe(401);
  });

  it('a caller that sends nothing does not delay the close of the listener', async () => {
    const { serving, certificate: clientAuthority } = authority;
    const other = await listen({ hub, serving, clientAuthority, port: 0 });
    const place = { host: '127.0.0.1', port: other.port };
    const silent = net.connect(place);
    await once(silent, 'connect');
    // Calls are taken in turn: when a later one is through, so is the first.
    const later = connect({ ...place, servername: 'localhost', ca: clientAuthority });
    await once(later, 'secureConnect');
    const left = Promise.all([once(silent, 'close'), once(later, 'close')]);
    await other.close();
    await left;
  });

  it('a request that smuggles a second one is not two requests of one user', async () => {
    const from = seen.length;
    const { admin: pair } = authority;
    const options = { port: listener.port, host: '127.0.0.1', servername: 'localhost', ca: authority.certificate };
    const socket = connect({ ...options, cert: pair.certificate, key: pair.key });
    const smuggled = 'GET /api/v1/secrets HTTP/1.1\r\nHost: x\r\n\r\n';
    const head = `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggled.length}\r\n`;
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen.slice(from)).toEqual([]);
    socket.destroy();
  });
});
