/** The server of the dashboard against other sites, other users, and those who only know its address. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dashboard } from '../../src/dashboard/index.ts';
import type { FleetView, PlanView } from '../../src/dashboard/wire.ts';
import { openSystem } from '../cli/kit.ts';
import type { System } from '../cli/kit.ts';
import { dashboardFor, Visitor } from '../kit/dashboard.ts';
import { configMap, deployment, policy } from '../kit/objects.ts';

const secretValue = 'c3VwZXItc2VjcmV0LXZhbHVl';
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'keys',
    namespace: 'default',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"data":{"key":"${secretValue}"}}` },
  },
  data: { key: secretValue },
};

let system: System;
let dashboard: Dashboard;
let admin: Visitor;
let time = 0;

beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'] });
  await system.apply(
    policy('web', {
      to: 'member1',
      select: [
        { apiVersion: 'apps/v1', kind: 'Deployment' },
        { apiVersion: 'v1', kind: 'Secret' },
      ],
    }),
    deployment('web', {}),
    secret,
  );
  dashboard = await dashboardFor(system.kubeconfig, () => Date.now() + time);
  admin = await new Visitor(dashboard.url).login(system.kubeconfig);
});

afterAll(async () => {
  await dashboard.close();
  await system.close();
});

const file = (name: string): string => path.join(system.folder, `${name}.json`);

describe('A request of another site', () => {
  test.each<[string, Record<string, string>, number]>([
    ['under a name of its own (rebinding) is refused', { host: 'evil.example' }, 421],
    ['from a page of another site is refused', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 403],
    ['with another origin is refused', { origin: 'http://evil.example' }, 403],
    ['with the origin of a sandbox is refused', { origin: 'null' }, 403],
  ])('%s', async (_, headers, status) => {
    const answer = await admin.ask('/api/me', { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('as a form, which cannot send JSON, is refused', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await admin.ask('/api/logout', { body: {}, headers })).status).toBe(415);
    expect((await admin.ask('/api/me')).status).toBe(200);
  });

  test('is not told that it may read an answer', async () => {
    const { status, headers } = await admin.ask('/api/me', { headers: { host: 'localhost:1' } });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, undefined]);
  });
});

test('Every answer forbids frames, foreign scripts and guessing of types', async () => {
  for (const place of ['/', '/api/me', '/no/such/place', '/login?code=wrong']) {
    const { headers } = await admin.ask(place);
    const rules = String(headers['content-security-policy']);
    expect(rules).toContain("default-src 'none'");
    expect(rules).toContain("script-src 'self'");
    expect(rules).toContain("frame-ancestors 'none'");
    expect(rules).not.toContain('unsafe');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  }
});

describe('A login', () => {
  test('by the link works once', async () => {
    const link = new URL(dashboard.newLink() ?? '');
    const first = new Visitor(dashboard.url);
    const { status, headers } = await first.ask(link.pathname + link.search);
    expect([status, headers['location']]).toEqual([303, '/']);
    expect(String(headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    expect((await first.ask('/api/me')).status).toBe(200);
    const second = new Visitor(dashboard.url);
    expect((await second.ask(link.pathname + link.search)).headers['location']).toBe('/login?why=used');
    expect((await second.ask('/api/me')).status).toBe(401);
  });

  test('with a wrong token is refused', async () => {
    const visitor = new Visitor(dashboard.url);
    expect((await visitor.ask('/api/login', { body: { token: 'guess' } })).status).toBe(401);
    expect(visitor.cookie).toBe('');
  });

  test.each(['client-key', 'tokenFile', 'exec'])(
    'with a kubeconfig that names %s of the server is refused',
    async (field) => {
      const kubeconfig = JSON.stringify({
        'current-context': 'a',
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
        clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [{ name: 'a', user: { [field]: '/etc/passwd' } }],
      });
      const { status, text } = await new Visitor(dashboard.url).ask('/api/login', { body: { kubeconfig } });
      expect([status, text]).toEqual([400, expect.stringContaining('refers to files or programs')]);
    },
  );

  test('ends when the person logs out, and after twelve hours', async () => {
    const visitor = await new Visitor(dashboard.url).login(system.kubeconfig);
    await visitor.json('/api/logout', {});
    expect((await visitor.ask('/api/me')).status).toBe(401);
    const other = await new Visitor(dashboard.url).login(system.kubeconfig);
    time = 12 * 3_600_000 + 1;
    expect((await other.ask('/api/me')).status).toBe(401);
    time = 0;
    admin = await new Visitor(dashboard.url).login(system.kubeconfig);
  });
});

test('Values of Secrets are in no answer', async () => {
  const ref = 'apiVersion=v1&kind=Secret&namespace=default&name=keys';
  const yaml = JSON.stringify({ ...secret, data: { other: 'bmV3' } });
  const planned = await admin.json<PlanView>('/api/plan', { yaml, deletes: [] });
  const answers = await Promise.all([
    admin.ask(`/api/template?${ref}`),
    admin.ask(`/api/object?${ref}`),
    admin.ask('/api/templates'),
    admin.ask('/api/timeline'),
    admin.ask('/api/difference', { body: { plan: planned.id, namespace: 'default', name: 'Secret/keys' } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 200, 200, 200]);
  for (const { text } of answers) {
    expect(text).not.toContain(secretValue);
    expect(text).not.toContain('super-secret-value');
  }
  expect(answers[0]?.text).toContain('(hidden, 24 characters)');
});

describe('Somebody with fewer permissions', () => {
  test('sees as viewer what the hub shows a viewer, and changes nothing', async () => {
    await system.grant('viewer', 'sluice-viewer', 'ClusterRoleBinding');
    const viewer = await new Visitor(dashboard.url).login(file('viewer'));
    const fleet = await viewer.json<FleetView>('/api/fleet');
    expect(fleet.members.map(({ name }) => name)).toEqual(['member1', 'member2']);
    const yaml = JSON.stringify(policy('web', { to: 'member2' }));
    const { id, effects } = await viewer.json<PlanView>('/api/plan', { yaml, deletes: [] });
    expect(effects).toBeGreaterThan(0);
    const applied = await viewer.ask('/api/apply', { body: { plan: id } });
    expect([applied.status, applied.text]).toEqual([403, expect.stringContaining('cannot')]);
  });

  test('sees as tenant only the own namespace, and is told what is hidden', async () => {
    await system.apply(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } },
      configMap('foreign', { namespace: 'other' }),
    );
    await system.grant('tenant', 'view', 'RoleBinding');
    const tenant = await new Visitor(dashboard.url).login(file('tenant'));
    const { hidden } = await tenant.json<{ readonly hidden: readonly string[] }>('/api/me');
    expect(hidden.join()).toContain('hidden from you');
    expect((await tenant.ask('/api/search?text=foreign')).text).toBe('[]');
    expect((await tenant.ask('/api/object?apiVersion=v1&kind=ConfigMap&namespace=other&name=foreign')).status).toBe(
      403,
    );
  });

  test('has no share in what others see', async () => {
    const nobody = new Visitor(dashboard.url);
    for (const place of ['me', 'fleet', 'templates', 'waiting', 'news', 'figures'])
      expect((await nobody.ask(`/api/${place}`)).status, place).toBe(401);
  });
});

test('Guessing logins is slow', async () => {
  const visitor = new Visitor(dashboard.url);
  const statuses: number[] = [];
  for (let i = 0; i < 25; i++) statuses.push((await visitor.ask('/login?code=guess')).status);
  expect((await visitor.ask('/login?code=guess')).headers['location']).toBe('/login?why=wait');
  expect((await admin.ask('/api/me')).status).toBe(200);
});
