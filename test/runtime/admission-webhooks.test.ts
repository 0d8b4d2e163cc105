import { once } from 'node:events';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openAuthority } from '../../src/auth/authority.ts';
import { WebhookClient } from '../../src/client/index.ts';
import { root, testHub } from '../kit/auth/hub.ts';
import type { Answer, TestHub } from '../kit/auth/hub.ts';

/** Answers of the webhook by path; each gets the request and gives its response, or a status. */
type Reply = (request: Readonly<Record<string, unknown>>) => object | number;
let replies: Record<string, Reply> = {};
let asked: { readonly path: string; readonly request: Readonly<Record<string, unknown>> }[] = [];
let server: Server;
let hub: TestHub;
let caBundle = '';
const client = new WebhookClient();

beforeAll(async () => {
  const authority = await openAuthority();
  caBundle = Buffer.from(authority.certificate).toString('base64');
  const { certificate: cert, key } = authority.serving;
  server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { request: Record<string, unknown> };
      asked.push({ path: request.url ?? '', request: review.request });
      const reply = replies[request.url ?? '']?.(review.request) ?? 404;
      if (typeof reply === 'number') return response.writeHead(reply).end();
      const body = {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: review.request['uid'], ...reply },
      };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  replies = {};
  asked = [];
  hub = await testHub({ postWebhook: (call) => client.post(call) });
  return () => hub.close();
});

const group = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

/** Configures one webhook at a path of the test server. */
async function configure(kind: 'Mutating' | 'Validating', path: string, more: object = {}): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const webhook = {
    name: `${path.slice(1)}.example.com`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: `https://127.0.0.1:${port}${path}`, caBundle },
    rules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['configmaps'] },
    ],
    ...more,
  };
  const object = { metadata: { name: `${kind.toLowerCase()}-${path.slice(1)}` }, webhooks: [webhook] };
  const made = await hub.send(root, `POST ${group}/${kind.toLowerCase()}webhookconfigurations`, { object });
  expect(made.text.trim()).toBe('201');
}

const hook = { name: 'hook.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None' };

const created = (name: string, query = ''): Promise<Answer> =>
  hub.send(root, `POST ${configMaps}${query}`, { object: { metadata: { name }, data: { a: '1' } } });

const patch = (...operations: readonly object[]): object => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

it('a mutating webhook changes what is stored', async () => {
  replies['/add'] = () => patch({ op: 'add', path: '/data/b', value: '2' });
  await configure('Mutating', '/add');
  expect((await created('one')).object['data']).toEqual({ a: '1', b: '2' });
  expect(asked[0]?.request).toMatchObject({
    operation: 'CREATE',
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    namespace: 'default',
    userInfo: { username: 'root', groups: expect.arrayContaining(['system:masters']) as unknown },
    object: { kind: 'ConfigMap', data: { a: '1' } },
    oldObject: null,
    dryRun: false,
  });
});

it('a webhook that asks for it sees what a later one has changed', async () => {
  replies['/first'] = ({ object }) => {
    const { data } = object as { data: Record<string, string> };
    return data['b'] ? patch({ op: 'add', path: '/data/c', value: '3' }) : { allowed: true };
  };
  replies['/second'] = () => patch({ op: 'add', path: '/data/b', value: '2' });
  await configure('Mutating', '/first', { reinvocationPolicy: 'IfNeeded' });
  await configure('Mutating', '/second');
  expect((await created('one')).object['data']).toEqual({ a: '1', b: '2', c: '3' });
  expect(asked.map(({ path }) => path)).toEqual(['/first', '/second', '/first']);
});

it('a validating webhook refuses with its own words and code', async () => {
  replies['/judge'] = () => ({ allowed: false, status: { message: 'not today', code: 418 } });
  await configure('Validating', '/judge');
  const refused = await created('one');
  expect(refused.status).toBe(418);
  expect(refused.text).toContain('admission webhook "judge.example.com" denied the request: not today');
  expect((await hub.send(root, `GET ${configMaps}/one`)).status).toBe(404);
});

it('a deletion is judged by the old object', async () => {
  await created('one');
  replies['/judge'] = ({ operation }) => ({ allowed: operation !== 'DELETE' });
  await configure('Validating', '/judge');
  expect((await hub.send(root, `DELETE ${configMaps}/one`)).status).toBe(403);
  expect(asked[0]?.request).toMatchObject({ operation: 'DELETE', object: null, oldObject: { data: { a: '1' } } });
});

it.each([
  ['Fail', 500],
  ['Ignore', 201],
])('a webhook that breaks, with failurePolicy %s, is answered with %d', async (failurePolicy, status) => {
  replies['/broken'] = () => 503;
  await configure('Validating', '/broken', { failurePolicy });
  const answer = await created('one');
  expect(answer.status).toBe(status);
  if (status === 500) expect(answer.text).toContain('failed calling webhook "broken.example.com": ');
});

it('a dry run goes only to webhooks without side effects', async () => {
  replies['/quiet'] = () => ({ allowed: true });
  await configure('Validating', '/quiet', { sideEffects: 'NoneOnDryRun' });
  expect((await created('one', '?dryRun=All')).status).toBe(201);
  expect(asked[0]?.request).toMatchObject({ dryRun: true });
});

it('selectors and match conditions decide who is asked', async () => {
  replies['/judge'] = () => ({ allowed: false });
  await configure('Validating', '/judge', {
    objectSelector: { matchLabels: { judged: 'yes' } },
    matchConditions: [{ name: 'large', expression: "'size' in object.data" }],
  });
  expect((await created('one')).status).toBe(201);
  const labelled = (data: object): Promise<Answer> =>
    hub.send(root, `POST ${configMaps}`, {
      object: { metadata: { generateName: 'a', labels: { judged: 'yes' } }, data },
    });
  expect((await labelled({ a: '1' })).status).toBe(201);
  expect((await labelled({ size: '1' })).status).toBe(403);
});

it('a webhook behind a Service is not called, and its author is told so', async () => {
  await configure('Validating', '/nobody', { clientConfig: { service: { name: 'hook', namespace: 'default' } } });
  expect((await created('one')).status).toBe(201);
  expect(asked).toEqual([]);
  const object = {
    metadata: { name: 'again' },
    webhooks: [{ ...hook, clientConfig: { service: { name: 'a', namespace: 'b' } } }],
  };
  const made = await hub.send(root, `POST ${group}/validatingwebhookconfigurations`, { object });
  expect(made.warnings).toContain(
    'webhook hook.example.com is not called here: the hub reaches no Services; it is kept for the members',
  );
});
