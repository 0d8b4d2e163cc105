/**
 * A user with the right to one member tries to reach more through the cluster proxy: the neighbour behind the same gateway, another
 * identity in the member, the hub itself.
 */
import { Buffer } from 'node:buffer';
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whyNoPath } from '../../src/members/proxy/proxy.ts';
import { callerOf } from '../kit/caller.ts';
import type { Caller, CallWords } from '../kit/caller.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { until } from '../kit/until.ts';
import { startLyingMember } from './lying-member.ts';
import type { LyingMember } from './lying-member.ts';

let live: Live;
let ann: Caller;
let liar: LyingMember;
const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';
const proxy = `${clusters}/member1/proxy`;
const group = 'rbac.authorization.k8s.io';

beforeAll(async () => {
  live = await startLive({ members: ['member1'] });
  await live.untilReady();
  const rules = [
    {
      apiGroups: ['cluster.karmada.io'],
      resources: ['clusters/proxy'],
      resourceNames: ['member1', 'liar'],
      verbs: ['*'],
    },
  ];
  const [apiVersion, metadata] = [`${group}/v1`, { name: 'proxy' }];
  await live.user.create({ apiVersion, kind: 'ClusterRole', metadata, rules } as never);
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'proxy' };
  const subjects = [{ apiGroup: group, kind: 'User', name: 'ann' }];
  await live.user.create({ apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects } as never);
  ann = callerOf(live.site, 'ann');
  liar = await startLyingMember();
  await joinLiar();
});
afterAll(async () => {
  await live.close();
  await liar.close();
});

const encoded = (text: string): string => Buffer.from(text).toString('base64');
/** A text as headers carry it. */
const wire = (text: string): string => Buffer.from(text).toString('latin1');

/** Makes the member known to the hub as one that pulls, so that nobody but the proxy asks it anything. */
async function joinLiar(): Promise<void> {
  const ref = { namespace: 'karmada-cluster', name: 'liar' };
  const data = { token: encoded('t'), caBundle: encoded(liar.caBundle) };
  await live.user.create({ apiVersion: 'v1', kind: 'Secret', metadata: ref, data } as never);
  const spec = { syncMode: 'Pull', apiEndpoint: liar.url, secretRef: ref, impersonatorSecretRef: ref };
  const [apiVersion, kind] = ['cluster.karmada.io/v1alpha1', 'Cluster'];
  await live.user.create({ apiVersion, kind, metadata: { name: 'liar' }, spec } as never);
  await until('the hub knows the liar', async () =>
    live.plane.view.clusters.some(({ metadata }) => metadata.name === 'liar'),
  );
}

function byHttp2(): ClientHttp2Session {
  const { server, certificateAuthority: ca, user } = live.site.context('admin');
  const { certificate: cert, key } = user as { readonly certificate: string; readonly key: string };
  return connect(server, { ca, cert, key }).on('error', () => {});
}

/** The answer that ann gets; status 0 when the stream ends without an answer. */
function get(session: ClientHttp2Session, path: string): Promise<{ readonly status: number }> {
  return new Promise((resolve) => {
    const stream = session.request({ ':path': path, 'impersonate-user': 'ann' });
    stream.on('response', (headers) => resolve({ status: Number(headers[':status']) }));
    stream.on('error', () => {}).on('close', () => resolve({ status: 0 }));
    stream.resume();
  });
}

test.each([
  '/../x',
  '/a/../../x',
  '/%2e%2e/x',
  '/..%2fx',
  '/%252e%252e%252fx',
  '/a/%2E./x',
  '/..\\x',
  '/%5c..%5cx',
  '/./x',
])('the path %s is refused', async (path) => {
  expect(whyNoPath(path)).toBe('the path must not contain . or ..');
  const { status, text } = await ann.send(`${proxy}${path}`);
  expect([status, text]).toEqual([400, expect.stringContaining('must not contain . or ..')]);
});

test.each(['/api/v1/a..b', '/a%2Fb', '/...', '/%e4%b8%ad', '//api'])('the path %s is no way out', (path) => {
  expect(whyNoPath(path)).toBeUndefined();
});

test('a path that is not encoded as a URL is refused', async () => {
  expect((await ann.send(`${proxy}/%zz`)).status).toBe(400);
});

test.each<[string, string]>([
  ['an encoded slash in the name', `${clusters}/member1%2fproxy/proxy/api`],
  ['the proxy of no member', `${clusters}//proxy/api`],
  ['another subresource', `${clusters}/member1/status`],
  ['a name that climbs', `${clusters}/../clusters/member2/proxy/api`],
])('%s reaches nothing', async (_, path) => {
  expect((await ann.send(path)).status).toBeGreaterThanOrEqual(403);
});

const whoami = `${proxy}/apis/authentication.k8s.io/v1/selfsubjectreviews`;
const review: CallWords = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
};

test.each<[string, Readonly<Record<string, string>>]>([
  ['a plain request', {}],
  ['a second authorization', { 'proxy-authorization': 'Bearer x' }],
  ['front proxy headers', { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' }],
  ['headers that the connection names', { connection: 'close, authorization, impersonate-user' }],
  ['underscores', { impersonate_user: 'root', impersonate_group: 'system:masters' }],
])('the member sees ann for %s', async (_, headers) => {
  const { status, text } = await ann.send(whoami, { ...review, headers: { ...review.headers, ...headers } });
  expect(status).toBe(201);
  const { username, groups } = (JSON.parse(text) as { status: { userInfo: { username: string; groups: string[] } } })
    .status.userInfo;
  expect([username, groups]).toEqual(['ann', ['system:authenticated']]);
});

/** Answers of a member as bytes, and the status that ann gets by HTTP/2. */
test.each<[string, string, number]>([
  ['a status that HTTP does not have', 'HTTP/1.1 999 X\r\ncontent-length: 0\r\n\r\n', 503],
  ['headers twice', 'HTTP/1.1 200 OK\r\ncontent-type: a/b\r\ncontent-type: c/d\r\ncontent-length: 0\r\n\r\n', 200],
  ['another protocol, unasked', 'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 503],
  ['a megabyte of headers', `HTTP/1.1 200 OK\r\nx-a: ${'x'.repeat(1 << 20)}\r\n\r\n`, 503],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 503],
  ['nothing', '', 503],
])('a member that answers %s costs the caller one request', async (_, bytes, status) => {
  liar.lie = ({ socket }) => void socket.end(bytes);
  const session = byHttp2();
  expect((await get(session, `${clusters}/liar/proxy/x`)).status).toBe(status);
  expect((await get(session, '/version')).status).toBe(200);
  session.destroy();
});

test('a warning of a member reaches the caller as it was sent', async () => {
  const bytes = 'HTTP/1.1 200 OK\r\nwarning: 299 - "größer"\r\ncontent-length: 0\r\n\r\n';
  liar.lie = ({ socket }) => void socket.end(Buffer.from(bytes));
  const { headers } = await ann.send(`${clusters}/liar/proxy/x`);
  expect(headers['warning']).toBe(wire('299 - "größer"'));
});

test('an upgrade with a body is refused, so that nothing can follow it unseen', async () => {
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'content-length': '5' };
  expect(await ann.upgrade(whoami, { method: 'POST', headers, body: 'GET /' })).toMatchObject({ status: 400 });
});

test('an upgrade that nobody takes up is answered as a plain request', async () => {
  const headers = { connection: 'Upgrade', upgrade: 'h2c' };
  expect(await ann.upgrade('/version', { headers })).toMatchObject({ status: 200 });
  expect(await ann.upgrade(`${proxy}/version`, { headers })).toMatchObject({ status: 200 });
});
