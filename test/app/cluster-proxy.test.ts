import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { openAuthority } from '../../src/auth/index.ts';
import { callerOf } from '../kit/caller.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

let live: Live;
let echo: Echo;

const proxyTo = (member: string): string => `/apis/cluster.karmada.io/v1alpha1/clusters/${member}/proxy`;
const rbac = 'rbac.authorization.k8s.io';

/** Binds a cluster role with these rules to a group. */
function granted(name: string, group: string, rules: readonly object[]): readonly KubeObject[] {
  const apiVersion = `${rbac}/v1`;
  return [
    { apiVersion, kind: 'ClusterRole', metadata: { name }, rules } as KubeObject,
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
      subjects: [{ apiGroup: rbac, kind: 'Group', name: group }],
    } as KubeObject,
  ];
}

/** A member of which only the requests matter: it says what it got, and echoes what comes after an upgrade. */
class Echo {
  readonly seen: IncomingMessage[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (incoming, outgoing) => {
      this.seen.push(incoming);
      const url = incoming.url?.replace('/gate/echo', '');
      if (url === '/away') outgoing.writeHead(302, { location: 'https://elsewhere.invalid/' });
      if (url === '/cookie') outgoing.setHeader('set-cookie', 'a=b');
      if (url === '/half') outgoing.setHeader('content-length', '100');
      if (url === '/half') outgoing.write('half', () => outgoing.destroy());
      else outgoing.end();
    });
    server.on('upgrade', (incoming, socket) => {
      this.seen.push(incoming);
      socket.on('error', () => socket.destroy());
      if (incoming.url === '/gate/echo/no') {
        socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno');
        return;
      }
      const { upgrade } = incoming.headers;
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\nhello `);
      socket.pipe(socket);
    });
  }

  get last(): IncomingMessage {
    const last = this.seen.at(-1);
    if (!last) throw new Error('nothing was asked');
    return last;
  }

  static async join(to: Live): Promise<Echo> {
    const { serving, certificate } = await openAuthority({ hosts: ['127.0.0.1'] });
    const server = createServer({ cert: serving.certificate, key: serving.key });
    const echo = new Echo(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const namespace = 'karmada-cluster';
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    const secret = (name: string, data: object): KubeObject =>
      ({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data }) as KubeObject;
    await to.user.create(secret('echo', { token: encoded('of-the-hub'), caBundle: encoded(certificate) }));
    await to.user.create(secret('echo-impersonator', { token: encoded('of-the-impersonator') }));
    await to.user.create({
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'echo' },
      spec: {
        syncMode: 'Pull',
        apiEndpoint: `https://127.0.0.1:${(server.address() as AddressInfo).port}/gate/echo`,
        secretRef: { namespace, name: 'echo' },
        impersonatorSecretRef: { namespace, name: 'echo-impersonator' },
      },
    } as KubeObject);
    return echo;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

beforeAll(async () => {
  live = await startLive({ members: ['member1', 'member2'] });
  await live.untilReady();
  for (const object of granted('proxy', 'dev', [
    {
      apiGroups: ['cluster.karmada.io'],
      resources: ['clusters/proxy'],
      resourceNames: ['member1', 'echo', 'nowhere'],
      verbs: ['*'],
    },
  ]))
    await live.user.create(object);
  for (const object of granted('maps', 'dev', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }]))
    await live.member('member1').create(object);
  echo = await Echo.join(live);
  await until('the hub knows the echo', async () =>
    live.plane.view.clusters.some(({ metadata }) => metadata.name === 'echo'),
  );
});
afterAll(async () => {
  echo.close();
  await live.close();
});

const ann = () => callerOf(live.site, 'ann', ['dev']);

describe('a user with the right to clusters/proxy', () => {
  test('reads and writes a member with the rights that it has there', async () => {
    const maps = `${proxyTo('member1')}/api/v1/namespaces/default/configmaps`;
    const body = JSON.stringify(configMap('mine', { namespace: 'default' }));
    const headers = { 'content-type': 'application/json' };
    expect((await ann().send(maps, { method: 'POST', headers, body })).status).toBe(201);
    expect((await ann().send(`${maps}/mine`)).status).toBe(200);
    expect((await ann().send(`${maps}/mine`, { method: 'DELETE' })).status).toBe(200);
    const refused = await ann().send(`${proxyTo('member1')}/api/v1/namespaces/default/secrets`);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('User \\"ann\\" cannot list resource \\"secrets\\"');
  });

  test('watches a member', async () => {
    const maps = `${proxyTo('member1')}/api/v1/namespaces/default/configmaps`;
    const watch = await ann().open(`${maps}?watch=true`);
    expect(watch.statusCode).toBe(200);
    const came = new Promise<string>((resolve) => {
      watch.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('"seen"')) resolve(chunk.toString());
      });
    });
    await live.member('member1').create(configMap('seen', { namespace: 'default' }));
    expect(JSON.parse((await came).trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name: 'seen' } },
    });
    watch.destroy();
  });

  test('switches protocols with a member, both ways', async () => {
    const path = `${proxyTo('echo')}/api/v1/namespaces/a/pods/b/exec?command=sh&command=-c`;
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': ['v4', 'v3'] };
    const answer = await ann().upgrade(path, { method: 'POST', headers });
    if (!('socket' in answer)) throw new Error(answer.text);
    let text = answer.head.toString();
    answer.socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    answer.socket.write('world');
    await until('the echo is there', async () => text === 'hello world');
    answer.socket.destroy();
    expect(echo.last.url).toBe('/gate/echo/api/v1/namespaces/a/pods/b/exec?command=sh&command=-c');
    expect(echo.last.method).toBe('POST');
    expect(echo.last.headersDistinct['x-stream-protocol-version']).toEqual(['v4', 'v3']);
  });

  test('sees the refusal of a member that does not switch protocols', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    const answer = await ann().upgrade(`${proxyTo('echo')}/no`, { headers });
    expect(answer).toMatchObject({ status: 403, text: 'no' });
  });
});

describe('a member', () => {
  test('sees the user, its groups and the impersonator, and nothing of the caller’s own credentials', async () => {
    const headers = {
      cookie: 'session=1',
      'x-remote-user': 'root',
      'x-forwarded-for': '10.0.0.1',
      'impersonate-uid': 'u1',
      'impersonate-extra-scopes': ['one', 'two'],
      'x-own': ['a', 'b'],
      connection: 'close, x-hop',
      'x-hop': '1',
      'sec-websocket-protocol': 'v5.channel.k8s.io, base64url.bearer.authorization.k8s.io.c2VjcmV0',
    };
    const { status, headers: returned } = await ann().send(`${proxyTo('echo')}/x?y=%2F`, { headers });
    expect(status).toBe(200);
    const { headersDistinct: got, url } = echo.last;
    expect(url).toBe('/gate/echo/x?y=%2F');
    expect(got).toMatchObject({
      authorization: ['Bearer of-the-impersonator'],
      'impersonate-user': ['ann'],
      'impersonate-group': ['dev'],
      'impersonate-uid': ['u1'],
      'impersonate-extra-scopes': ['one', 'two'],
      'x-own': ['a', 'b'],
      'sec-websocket-protocol': ['v5.channel.k8s.io'],
    });
    for (const name of ['cookie', 'x-remote-user', 'x-forwarded-for', 'x-hop']) expect(got).not.toHaveProperty(name);
    expect(returned['content-security-policy']).toBe('sandbox');
  });

  test('a member that redirects leads no request elsewhere', async () => {
    const { status, text, headers } = await ann().send(`${proxyTo('echo')}/away`);
    expect([status, text]).toEqual([503, expect.stringContaining('a redirect, which is not followed')]);
    expect(headers).not.toHaveProperty('location');
  });

  test('sets no cookie for the name of the hub', async () => {
    const { status, headers } = await ann().send(`${proxyTo('echo')}/cookie`);
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test('an answer that breaks off does not look complete', async () => {
    await expect(ann().send(`${proxyTo('echo')}/half`)).rejects.toThrow('aborted');
  });
});

test('without the right there is 403, whether or not the member exists', async () => {
  const asked = echo.seen.length;
  for (const caller of [callerOf(live.site, 'bob'), callerOf(live.site, 'bob', ['other'])]) {
    for (const member of ['member1', 'echo', 'nowhere']) {
      const { status, text } = await caller.send(`${proxyTo(member)}/api/v1/pods`);
      expect(status).toBe(403);
      expect(text).toContain('cannot get resource \\"clusters/proxy\\"');
    }
  }
  expect((await ann().send(`${proxyTo('member2')}/api/v1/pods`)).status).toBe(403);
  const upgrade = { headers: { connection: 'Upgrade', upgrade: 'websocket' } };
  expect(await callerOf(live.site, 'bob').upgrade(`${proxyTo('echo')}/x`, upgrade)).toMatchObject({ status: 403 });
  expect(echo.seen).toHaveLength(asked);
  expect((await ann().send(`${proxyTo('nowhere')}/api`)).status).toBe(404);
});

test('a member without an impersonator cannot be asked by a user, and says why', async () => {
  const ref = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: 'echo' };
  const { spec } = await live.user.get<KubeObject & { spec: { impersonatorSecretRef: object } }>(ref);
  await live.user.patch(ref, { spec: { impersonatorSecretRef: null } }, { type: 'merge' });
  await until('the hub refuses', async () => (await ann().send(`${proxyTo('echo')}/x`)).status === 503);
  expect((await ann().send(`${proxyTo('echo')}/x`)).text).toContain('spec.impersonatorSecretRef is empty');
  await live.user.patch(ref, { spec: { impersonatorSecretRef: spec.impersonatorSecretRef } }, { type: 'merge' });
  await until('it is asked again', async () => (await ann().send(`${proxyTo('echo')}/x`)).status === 200);
});

test('discovery lists clusters/proxy', async () => {
  const { body } = await live.user.raw({ method: 'GET', path: '/apis/cluster.karmada.io/v1alpha1' });
  const { resources } = body as { resources: readonly { name: string; verbs: readonly string[] }[] };
  expect(resources.find(({ name }) => name === 'clusters/proxy')?.verbs).toEqual([
    'create',
    'delete',
    'get',
    'patch',
    'update',
  ]);
});

test('the hub gives an impersonator its role that another program has made without one', async () => {
  const member = live.member('member2');
  const place = { namespace: 'karmada-cluster', name: 'karmada-impersonator' };
  const role = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', name: place.name };
  expect(await member.find(role)).toBeUndefined();
  await member.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: place.namespace } });
  await member.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: place });
  await live.stop();
  await live.start();
  const binding = { ...role, kind: 'ClusterRoleBinding' };
  await until('the binding is there', async () => (await member.find(binding)) !== undefined);
  expect(await member.find(role)).toBeDefined();
  expect(await member.find(binding)).toMatchObject({
    subjects: [{ kind: 'ServiceAccount', ...place }],
  });
});
