/** Warnings quote what a client wrote; whatever that is, the client gets its answer. */
import { connect } from 'node:http2';
import { request as dial } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../src/apiserver/index.ts';
import { openAuthority } from '../../src/auth/index.ts';
import type { Authority } from '../../src/auth/index.ts';
import type { Listener } from '../../src/apiserver/index.ts';
import { attackedHub } from '../kit/attack.ts';
import type { AttackedHub } from '../kit/attack.ts';

let attacked: AttackedHub;
let authority: Authority;
let listener: Listener;
beforeAll(async () => {
  authority = await openAuthority({});
  attacked = await attackedHub({ authority });
  const { serving, certificate: clientAuthority } = authority;
  listener = await listen({ hub: attacked.hub, serving, clientAuthority, port: 0 });
});
afterAll(async () => {
  await listener.close();
  await attacked.close();
});

const maps = '/api/v1/namespaces/default/configmaps';
const body = (name: string, more: object): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more });
const tls = () => ({ ca: authority.certificate, cert: authority.admin.certificate, key: authority.admin.key });

interface Answer {
  readonly status: number;
  readonly warnings: readonly string[];
}

const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

async function http1(text: string): Promise<Answer> {
  const request = dial({
    host: '127.0.0.1',
    port: listener.port,
    method: 'POST',
    path: maps,
    headers: { 'content-type': 'application/json' },
    agent: false,
    maxHeaderSize: 1_000_000,
    ...tls(),
  });
  request.end(text);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  const raw = response.rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1]?.toLowerCase() === 'warning');
  return { status: response.statusCode ?? 0, warnings: raw.map(utf8) };
}

async function http2(text: string): Promise<Answer> {
  const session = connect(`https://127.0.0.1:${listener.port}`, tls());
  const stream = session.request({ ':method': 'POST', ':path': maps, 'content-type': 'application/json' });
  stream.end(text);
  const [headers, , raw] = (await once(stream, 'response')) as [Record<string, unknown>, number, string[]];
  session.destroy();
  const warnings = raw.filter((_, i, all) => i % 2 === 1 && all[i - 1] === 'warning');
  return { status: Number(headers[':status']), warnings: warnings.map(utf8) };
}

const names: readonly string[] = ['größe', '大きさ', '🙂', 'a"b\\c', 'a\nb\r\nset-cookie: x', '\u0000\u007f', '\ud800'];

describe.each([
  ['HTTP/1.1', http1],
  ['HTTP/2', http2],
])('%s', (protocol, send) => {
  test.each(names)('an unknown field %j is warned of and the object stored', async (field) => {
    const name = `field-${names.indexOf(field)}-${protocol.length}`;
    const { status, warnings } = await send(body(name, { [field]: 1 }));
    expect([status, warnings.length]).toEqual([201, 1]);
    if (/^\p{L}+$/u.test(field)) expect(warnings).toEqual([`299 - "unknown field \\"${field}\\""`]);
    expect((await attacked.send(`GET ${maps}/${name}`)).status).toBe(200);
  });

  test('1,500 and 50,000 unknown fields give headers that clients take', async () => {
    for (const count of [1500, 50_000]) {
      const fields = Object.fromEntries(Array.from({ length: count }, (_, i) => [`unknown-${'x'.repeat(20)}-${i}`, 1]));
      const { status, warnings } = await send(body(`many-${count}-${protocol.length}`, fields));
      expect(status).toBe(201);
      expect(warnings.length).toBeGreaterThan(50);
      expect(warnings.length).toBeLessThanOrEqual(100);
      expect(warnings.join('').length).toBeLessThan(8192);
    }
  });
});

test('250,000 unknown or repeated fields are warned of, or refused, a hundred at a time', async () => {
  const fields = Array.from({ length: 250_000 }, (_, i) => `"u${i}":1`).join(',');
  const twice = Array.from({ length: 250_000 }, () => '"k":"v"').join(',');
  const object = (more: string): string =>
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"crowded"},${more}}`;
  for (const more of [fields, `"data":{${twice}}`]) {
    const warned = await attacked.send(`POST ${maps}?dryRun=All`, { body: object(more) });
    expect([warned.status, (warned.headers['warning'] as string[]).length <= 100]).toEqual([201, true]);
    const strict = await attacked.send(`POST ${maps}?dryRun=All&fieldValidation=Strict`, { body: object(more) });
    expect([strict.status, strict.text.length < 20_000]).toEqual([400, true]);
  }
  const finalizers = Array.from({ length: 200_000 }, (_, i) => `a${i}`);
  const metadata = { name: 'finalized', finalizers };
  const { status } = await attacked.send(`POST ${maps}?dryRun=All`, {
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata },
  });
  expect(status).toBe(422);
  expect(attacked.faults).toEqual([]);
});
