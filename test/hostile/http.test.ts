import { readFile } from 'node:fs/promises';
import { connect as http2Connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { connect as plainConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startHub } from '../kit/hub.ts';
import type { RunningHub } from '../kit/hub.ts';
import { until } from '../kit/until.ts';
import { accessIn, residentBytes } from './access.ts';
import type { Access } from './access.ts';
import { sendOverTls } from './fuzz/send.ts';
import type { Wire } from './fuzz/send.ts';

let hub: RunningHub;
let access: Access;
let wire: Wire;
let rssStart: number;

beforeAll(async () => {
  hub = await startHub();
  access = accessIn(await readFile(hub.kubeconfig, 'utf8'));
  wire = sendOverTls(access);
  await answers();
  rssStart = await residentBytes(hub.pid);
});

afterAll(async () => {
  wire.close();
  await hub.stop();
});

/** The hub serves the administrator as before, over HTTP/1.1 and HTTP/2. */
async function answers(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    const reply = await wire.send({ method: 'GET', path: '/api/v1/namespaces/default', query: '', headers: {} });
    expect(reply.status, reply.fault).toBe(200);
  }
}

afterEach(answers);

const open = new Set<{ destroy(): unknown }>();
afterEach(() => {
  for (const one of open) one.destroy();
  open.clear();
});

function dial(credentials: Partial<Access> = access): Promise<TLSSocket> {
  const { hostname, port } = new URL(access.url);
  const { cert, key } = credentials;
  return new Promise((resolve, reject) => {
    const socket = tlsConnect(
      {
        host: hostname,
        port: Number(port),
        ca: access.ca,
        ALPNProtocols: ['http/1.1'],
        ...(cert && key && { cert, key }),
      },
      () => resolve(socket),
    );
    socket.once('error', reject);
    socket.on('error', () => {});
    open.add(socket);
  });
}

/** Writes bytes and resolves with what came back until the hub closes, or with what came in two seconds. */
async function exchange(bytes: string | Buffer, credentials?: Partial<Access>): Promise<string> {
  const socket = await dial(credentials);
  return new Promise((resolve) => {
    let text = '';
    const done = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(done, 2000);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on('close', done);
    socket.write(bytes);
  });
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
const path = '/api/v1/namespaces/default/configmaps';
const head = (lines: readonly string[]): string => `POST ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`;
const body = '{"metadata":{"name":"smuggled"}}';

describe('requests that are no HTTP', () => {
  test.each([
    ['two lengths', head(['Content-Length: 5', 'Content-Length: 32']) + body],
    ['a length and chunks', head(['Content-Length: 5', 'Transfer-Encoding: chunked']) + '0\r\n\r\n' + body],
    ['a negative length', head(['Content-Length: -1']) + body],
    ['a length that is no number', head(['Content-Length: 0x20']) + body],
    ['chunks of a false size', head(['Transfer-Encoding: chunked']) + 'zz\r\n{}\r\n'],
    ['a chunk size beyond all numbers', head(['Transfer-Encoding: chunked']) + `${'f'.repeat(40)}\r\n{}\r\n`],
    ['a header without a colon', `GET ${path} HTTP/1.1\r\nHost\r\n\r\n`],
    ['a header with a line break', `GET ${path} HTTP/1.1\r\nHost: x\r\nA: b\nc\r\n\r\n`],
    ['a zero byte in the path', `GET ${path}\0 HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a method of a thousand letters', `${'G'.repeat(1000)} / HTTP/1.1\r\n\r\n`],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['noise', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 251))],
  ])('%s: refused, and nothing is stored', async (_, bytes) => {
    const status = statusOf(await exchange(bytes));
    expect([0, 400]).toContain(status);
    const stored = await wire.send({ method: 'GET', path: `${path}/smuggled`, query: '', headers: {} });
    expect(stored.status).toBe(404);
  });

  test('plain HTTP, and bytes that are no TLS, on the port of TLS', async () => {
    const { hostname, port } = new URL(access.url);
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01\xff\xff', '\0'.repeat(10_000)]) {
      await new Promise<void>((resolve) => {
        const socket = plainConnect(Number(port), hostname, () => socket.end(bytes));
        socket.on('error', () => resolve());
        socket.on('close', () => resolve());
        socket.resume();
      });
    }
  });
});

describe('too much', () => {
  test('headers beyond every size are refused before the request is looked at', async () => {
    const flood = Array.from({ length: 3000 }, (_, i) => `X-${i}: ${'v'.repeat(100)}`);
    for (const lines of [flood, [`X: ${'v'.repeat(1_000_000)}`], [`Cookie: ${'a=b;'.repeat(100_000)}`]])
      expect([0, 431]).toContain(statusOf(await exchange(head(lines))));
    expect([0, 431]).toContain(statusOf(await exchange(`GET /${'a'.repeat(500_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)));
  });

  test('a body that never ends is not kept: it is refused at its limit', async () => {
    const socket = await dial();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(head(['Transfer-Encoding: chunked', 'Content-Type: application/json']));
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    for (let i = 0; i < 100; i++) await new Promise<void>((resolve) => socket.write(chunk, () => resolve()));
    await until('an answer', async () => text !== '');
    expect(statusOf(text)).toBe(413);
  });

  test('nobody sends a body without saying who they are', async () => {
    const text = await exchange(head(['Content-Length: 3000000']) + ' '.repeat(100_000), {});
    expect(statusOf(text)).toBe(401);
  });
});

describe('many', () => {
  test('200 connections that send their headers a byte at a time delay nobody', async () => {
    const slow = await Promise.all(Array.from({ length: 200 }, () => dial({})));
    for (const letter of 'GET /api') {
      for (const socket of slow) socket.write(letter);
      await answers();
    }
  });

  test('200 bodies that stop in the middle delay nobody', async () => {
    const stuck = await Promise.all(Array.from({ length: 200 }, () => dial()));
    for (const socket of stuck) socket.write(`${head(['Content-Length: 1000000'])}{"metadata"`);
    await answers();
  });

  test('200 clients that ask and do not read are served without memory of their own', async () => {
    const deaf = await Promise.all(Array.from({ length: 200 }, () => dial()));
    for (const socket of deaf) {
      socket.pause();
      socket.write('GET /openapi/v2 HTTP/1.1\r\nHost: x\r\n\r\n');
    }
    await answers();
  });
});

describe('HTTP/2', () => {
  async function session(): Promise<ClientHttp2Session> {
    const made = http2Connect(access.url, { ca: access.ca, cert: access.cert, key: access.key });
    made.on('error', () => {});
    open.add(made);
    await new Promise((resolve) => made.once('connect', resolve));
    return made;
  }

  test('20 times 500 requests that are reset at once', async () => {
    for (let round = 0; round < 20; round++) {
      const client = await session();
      for (let i = 0; i < 500 && !client.destroyed; i++) {
        const stream = client.request({ ':path': `${path}?watch=true` });
        stream.on('error', () => {});
        stream.close();
      }
      client.destroy();
    }
  });

  test('10,000 pings and settings', async () => {
    const client = await session();
    for (let i = 0; i < 10_000 && !client.destroyed; i++) {
      if (i % 100 === 0) client.settings({ initialWindowSize: 1000 + i }, () => {});
      try {
        client.ping(() => {});
      } catch {
        // As many as the client itself allows at a time.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  });

  test('streams whose window never opens hold nothing up', async () => {
    const client = http2Connect(access.url, {
      ca: access.ca,
      cert: access.cert,
      key: access.key,
      settings: { initialWindowSize: 0 },
    });
    client.on('error', () => {});
    open.add(client);
    for (let i = 0; i < 200; i++) client.request({ ':path': '/openapi/v2' }).on('error', () => {});
    await answers();
  });

  test('headers beyond the limit of the table', async () => {
    const client = await session();
    const headers = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x-${i}`, 'v'.repeat(500)]));
    await new Promise<void>((resolve) => {
      try {
        const stream = client.request({ ':path': path, ...headers });
        stream.on('error', () => resolve());
        stream.on('response', () => resolve());
        stream.on('close', () => resolve());
      } catch {
        resolve();
      }
    });
  });
});

test('after all of it the hub has met no surprise, and its memory is near its start', async () => {
  expect(hub.faults()).toBe('');
  expect((await residentBytes(hub.pid)) - rssStart).toBeLessThan(400 * 1024 * 1024);
});
