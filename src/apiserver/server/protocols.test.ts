import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { Agent, request } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAuthority } from '../../auth/index.ts';
import type { Authority } from '../../auth/index.ts';
import { memoryStore } from '../../store/index.ts';
import type { Store } from '../../store/index.ts';
import type { HubRequest, HubResponse } from '../http.ts';
import { createHub } from '../hub.ts';
import type { Hub } from '../hub.ts';
import { listen } from './listener.ts';
import type { Listener } from './listener.ts';

const path = '/api/v1/namespaces/default/configmaps';
let authority: Authority;
let store: Store;
let hub: Hub;
let listener: Listener;

beforeAll(async () => {
  authority = await openAuthority();
  store = memoryStore();
  hub = await createHub({ store, authority });
  listener = await listen({ hub, serving: authority.serving, clientAuthority: authority.certificate, port: 0 });
  await fillWithLongList();
});

afterAll(async () => {
  await listener.close();
  await hub.close();
  await store.close();
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface Asked {
  readonly method?: string;
  readonly url: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly anonymous?: boolean;
}

function ask({ method = 'GET', url, body, headers = {}, anonymous }: Asked): Promise<Answer> {
  const { certificate: cert, key } = authority.admin;
  const agent = new Agent({ ca: authority.certificate, ...(!anonymous && { cert, key }) });
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: listener.port, agent, method, path: url, headers };
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        agent.destroy();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const configMap = (name: string, data: object = {}): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

const longList = '/api/v1/namespaces/kube-node-lease/configmaps';
const longNames = ['long-a', 'long-b', 'long-c', 'long-d'];

/** Long enough to be sent in pieces. */
async function fillWithLongList(): Promise<void> {
  for (const name of longNames)
    await ask({ method: 'POST', url: longList, body: configMap(name, { text: 'ü'.repeat(40_000) }) });
}

const namesIn = (body: Buffer | string): readonly string[] =>
  (JSON.parse(String(body)) as { items: readonly { metadata: { name: string } }[] }).items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith('long-'));

describe('HTTP/1.1', () => {
  it('knows the holder of a certificate, and nobody else', async () => {
    expect((await ask({ url: path })).status).toBe(200);
    const anonymous = await ask({ url: path, anonymous: true });
    expect(anonymous.status).toBe(401);
    expect(JSON.parse(anonymous.body.toString())).toMatchObject({ kind: 'Status', reason: 'Unauthorized' });
    expect((await ask({ url: '/livez', anonymous: true })).body.toString()).toBe('ok');
  });

  it('compresses large bodies for those who can read it', async () => {
    const data = { k: 'x'.repeat(200_000) };
    await ask({ method: 'POST', url: path, body: configMap('large', data) });
    const plain = await ask({ url: `${path}/large` });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const small = await ask({ url: `${path}/large`, headers: { 'accept-encoding': 'gzip' } });
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(small.body.length).toBeLessThan(plain.body.length / 10);
    expect(gunzipSync(small.body)).toEqual(plain.body);
  });

  it('sends a long list whole, compressed or not, and tells HEAD how long it is', async () => {
    const plain = await ask({ url: longList });
    expect(namesIn(plain.body)).toEqual(longNames);
    expect(Number(plain.headers['content-length'])).toBe(plain.body.length);
    const packed = await ask({ url: longList, headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    const head = await ask({ method: 'HEAD', url: longList });
    expect(head.headers['content-length']).toBe(plain.headers['content-length']);
    expect(head.body).toHaveLength(0);
  });

  it('answers HEAD without a body', async () => {
    const head = await ask({ method: 'HEAD', url: '/version' });
    expect(head.status).toBe(200);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    expect(head.body).toHaveLength(0);
  });
});

describe('HTTP/2', () => {
  let session: ClientHttp2Session;
  beforeAll(() => {
    const { certificate: cert, key } = authority.admin;
    session = connect(`https://127.0.0.1:${listener.port}`, { ca: authority.certificate, cert, key });
  });
  afterAll(() => session.close());

  function stream(method: string, url: string, body?: string): ClientHttp2Stream {
    const headers = { ':method': method, ':path': url, 'content-type': 'application/json' };
    const opened = session.request(headers, { endStream: body === undefined });
    if (body !== undefined) opened.end(body);
    return opened;
  }

  async function read(opened: ClientHttp2Stream): Promise<{ status: number; text: string }> {
    let status = 0;
    opened.on('response', (headers) => (status = Number(headers[':status'])));
    let text = '';
    for await (const chunk of opened) text += String(chunk);
    return { status, text };
  }

  it('serves requests and watches side by side on one connection', async () => {
    const watching = stream('GET', `${path}?watch=true&fieldSelector=metadata.name%3Dh2`);
    const first = new Promise<string>((resolve) => watching.once('data', (chunk: Buffer) => resolve(chunk.toString())));
    const made = await read(stream('POST', path, configMap('h2')));
    expect(made.status).toBe(201);
    expect(JSON.parse(await first)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'h2' } } });
    expect(JSON.parse((await read(stream('GET', `${path}/h2`))).text)).toMatchObject({ kind: 'ConfigMap' });
    watching.close();
  });

  it('begins a watch with a collection of any size and goes on after it', async () => {
    const large = JSON.stringify({ metadata: { name: 'x' }, data: { value: 'x'.repeat(1_000_000) } });
    for (let i = 0; i < 20; i++) {
      const { status } = await read(
        stream('POST', '/api/v1/namespaces/kube-public/configmaps', large.replace('"x"', `"l${i}"`)),
      );
      expect(status).toBe(201);
    }
    const watching = stream('GET', '/api/v1/namespaces/kube-public/configmaps?watch=true');
    let bytes = 0;
    await new Promise<void>((resolve) => {
      watching.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > 20_000_000) resolve();
      });
    });
    let text = '';
    watching.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    await read(stream('DELETE', '/api/v1/namespaces/kube-public/configmaps/l0'));
    await expect.poll(() => /"type":"(DELETED|ERROR)"/.exec(text)?.[1], { timeout: 30_000 }).toBe('DELETED');
    watching.close();
  });

  it('sends a long list whole', async () => {
    const { status, text } = await read(stream('GET', longList));
    expect(status).toBe(200);
    expect(namesIn(text)).toEqual(longNames);
  });

  it('reads the certificate once a connection, not once a request', async () => {
    const peers: unknown[] = [];
    const handle = ({ peer }: HubRequest): Promise<HubResponse> => {
      peers.push(peer);
      return Promise.resolve({ status: 204, headers: {} });
    };
    const { serving, certificate: clientAuthority, admin } = authority;
    const other = await listen({ hub: { recognize: (request) => request, handle }, serving, clientAuthority, port: 0 });
    const { certificate: cert, key } = admin;
    const connection = connect(`https://127.0.0.1:${other.port}`, { ca: clientAuthority, cert, key });
    for (const url of ['/a', '/b']) await read(connection.request({ ':path': url }));
    expect(peers[0]).toMatchObject({ organizations: ['system:masters'] });
    expect(peers[1]).toBe(peers[0]);
    connection.close();
    await other.close();
  });
});

describe('a client that goes away', () => {
  it('takes its watch with it', async () => {
    let stopped = 0;
    let open: () => void = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    let close: () => void = () => {};
    const closed = new Promise<void>((resolve) => (close = resolve));
    const other = await listen({
      hub: {
        recognize: (request) => request,
        handle: () =>
          Promise.resolve({
            status: 200,
            headers: {},
            stream: {
              open(sink) {
                sink.write(Buffer.from('hello'));
                open();
                return () => {
                  stopped++;
                  close();
                };
              },
            },
          }),
      },
      serving: authority.serving,
      clientAuthority: authority.certificate,
      port: 0,
    });
    const outgoing = request({ host: '127.0.0.1', port: other.port, ca: authority.certificate, path: '/x' });
    outgoing.on('error', () => {});
    outgoing.end();
    await opened;
    outgoing.destroy();
    await closed;
    expect(stopped).toBe(1);
    await other.close();
  });
});
