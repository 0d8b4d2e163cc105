/** A caller without credentials learns that the hub lives and which version it is, and nothing else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAuthority } from '../../src/auth/index.ts';
import { attackedHub } from '../kit/attack.ts';
import type { AttackedHub } from '../kit/attack.ts';

let attacked: AttackedHub;
beforeAll(async () => {
  attacked = await attackedHub({ authority: await openAuthority({}) });
});
afterAll(() => attacked.close());

const ask = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
  (await attacked.hub.handle({ method: 'GET', path, query: '', headers })).status;

test.each(['/livez', '/readyz', '/healthz', '/version', '/version/'])('%s is open', async (path) => {
  expect(await ask(path)).toBe(200);
});

const closed = [
  '/',
  '/api',
  '/apis',
  '/api/v1/namespaces',
  '/openapi/v2',
  '/metrics',
  '/restz',
  '/livez/ping',
  '/nothing',
];
test.each([...closed, '/apis/policy.karmada.io/v1alpha1/propagationpolicies'])('%s is closed', async (path) => {
  expect(await ask(path)).toBe(401);
});

test('a caller without credentials is a user for whom nobody can open more: a role for system:unauthenticated grants nothing', async () => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  const body = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'everybody' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:unauthenticated' }],
  };
  expect((await attacked.send(`POST ${rbac}`, { body })).status).toBe(201);
  expect(await ask('/api/v1/secrets')).toBe(401);
});

test('a wrong credential is refused everywhere, also where none is needed', async () => {
  const headers = { authorization: 'Bearer forged' };
  for (const path of ['/livez', '/version', '/api/v1/secrets']) expect(await ask(path, headers)).toBe(401);
});
