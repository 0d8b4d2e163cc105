/**
 * A user with the right to one member tries to reach more through the cluster proxy: the neighbour behind the same gateway, another
 * identity in the member, the hub itself.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whyNoPath } from '../../src/members/proxy/path.ts';
import { callerOf } from '../kit/caller.ts';
import type { Caller, CallWords } from '../kit/caller.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';

let live: Live;
let ann: Caller;
const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';
const proxy = `${clusters}/member1/proxy`;
const group = 'rbac.authorization.k8s.io';

beforeAll(async () => {
  live = await startLive({ members: ['member1'] });
  await live.untilReady();
  const rules = [
    { apiGroups: ['cluster.karmada.io'], resources: ['clusters/proxy'], resourceNames: ['member1'], verbs: ['*'] },
  ];
  const [apiVersion, metadata] = [`${group}/v1`, { name: 'proxy' }];
  await live.user.create({ apiVersion, kind: 'ClusterRole', metadata, rules } as never);
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'proxy' };
  const subjects = [{ apiGroup: group, kind: 'User', name: 'ann' }];
  await live.user.create({ apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects } as never);
  ann = callerOf(live.site, 'ann');
});
afterAll(() => live.close());

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

test('an upgrade with a body is refused, so that nothing can follow it unseen', async () => {
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'content-length': '5' };
  expect(await ann.upgrade(whoami, { method: 'POST', headers, body: 'GET /' })).toMatchObject({ status: 400 });
});

test('an upgrade that nobody takes up is answered as a plain request', async () => {
  const headers = { connection: 'Upgrade', upgrade: 'h2c' };
  expect(await ann.upgrade('/version', { headers })).toMatchObject({ status: 200 });
  expect(await ann.upgrade(`${proxy}/version`, { headers })).toMatchObject({ status: 200 });
});
