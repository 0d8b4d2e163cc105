import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rbacPath, root, testHub } from '../../../test/kit/auth/hub.ts';
import type { TestHub } from '../../../test/kit/auth/hub.ts';
import { binding, role } from '../../../test/kit/auth/objects.ts';
import type { KubeObject } from '../../api/index.ts';

let hub: TestHub;
beforeEach(async () => {
  hub = await testHub();
});
afterEach(() => hub.close());

const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

describe('the way in', () => {
  it('is closed without a credential, but for signs of life', async () => {
    expect((await hub.send('', 'GET /api/v1/namespaces')).text).toBe('401 Unauthorized');
    expect((await hub.send('', 'GET /apis')).text).toBe('401 Unauthorized');
    expect((await hub.send({ token: 'x.y.z' }, 'GET /apis')).text).toBe('401 Unauthorized');
    expect((await hub.send('', 'GET /version')).status).not.toBe(401);
  });

  it('says what is missing, in the words of Kubernetes', async () => {
    const none = 'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "x"';
    expect((await hub.send('jane', 'GET /api/v1/namespaces/x/pods')).text).toBe(`403 ${none}`);
    expect(
      (await hub.send('jane', 'PATCH /apis/apps/v1/namespaces/x/deployments/web/scale', { object: {} })).text,
    ).toBe(
      '403 deployments.apps "web" is forbidden: User "jane" cannot patch resource "deployments/scale" in API group "apps" in the namespace "x"',
    );
    expect((await hub.send('jane', 'GET /metrics')).text).toBe('403 forbidden: User "jane" cannot get path "/metrics"');
    const { object } = await hub.send('jane', 'GET /api/v1/secrets');
    expect(object).toMatchObject({ kind: 'Status', reason: 'Forbidden', code: 403, details: { kind: 'secrets' } });
  });

  it('lets those pass who may, there and no further', async () => {
    await hub.bind('default/b', 'ClusterRole/edit', 'Group/dev');
    expect((await hub.send('jane/dev', `POST ${configMaps('default')}`, { object: configMap('a') })).status).toBe(201);
    expect((await hub.send('jane/dev', `GET ${configMaps('default')}`)).status).toBe(200);
    expect((await hub.send('jane/dev', `GET ${configMaps('default')}?watch=true`)).status).toBe(200);
    expect((await hub.send('jane/dev', `GET ${configMaps('kube-system')}`)).status).toBe(403);
    expect((await hub.send('jane/dev', 'GET /api/v1/configmaps')).status).toBe(403);
    expect((await hub.send('jane', `GET ${configMaps('default')}`)).status).toBe(403);
    expect((await hub.send('jane/dev', `DELETE ${configMaps('default')}`)).status).toBe(200);
    expect((await hub.send('jane/dev', 'GET /api/v1/namespaces/default')).status).toBe(200);
    expect((await hub.send('jane/dev', 'GET /api/v1/namespaces/kube-system')).status).toBe(403);
  });

  it.each([
    '/api/v1/namespaces/default/../kube-system/secrets',
    '/api/v1/namespaces/default%2F..%2Fkube-system/secrets',
    '/api/v1/namespaces/default/configmaps/..%2F..%2Fsecrets%2Fx',
    '//api/v1/namespaces/kube-system/secrets',
    '/api/v1/namespaces//secrets',
    '/api/v1/watch/namespaces/kube-system/secrets',
    '/api/v1/namespaces/kube-system/secrets/',
    '/API/v1/namespaces/kube-system/secrets',
    '/api/v1/namespaces/default/configmaps/a/../../../kube-system/secrets',
    '/api/v1/%6eamespaces/kube-system/secrets',
  ])('leads nowhere by %s', async (path) => {
    await hub.bind('default/b', 'ClusterRole/edit', 'User/jane');
    await hub.send(root, 'POST /api/v1/namespaces/kube-system/secrets', {
      object: {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'x' },
      },
    });
    const { status, object } = await hub.send('jane', `GET ${path}`);
    expect([400, 403, 404]).toContain(status);
    expect(JSON.stringify(object['items'] ?? [])).toBe('[]');
  });

  it('holds resourceNames for get, for lists of that name, and for nothing else', async () => {
    const rules = [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'create'], resourceNames: ['a'] },
    ];
    await hub.send(root, `POST ${rbacPath}/namespaces/default/roles`, { object: role('default/one', rules) });
    await hub.bind('default/b', 'Role/one', 'User/jane');
    const path = '/api/v1/namespaces/default/configmaps';
    for (const name of ['a', 'b']) await hub.send(root, `POST ${path}`, { object: configMap(name) });
    expect((await hub.send('jane', `GET ${path}/a`)).status).toBe(200);
    expect((await hub.send('jane', `GET ${path}/b`)).status).toBe(403);
    expect((await hub.send('jane', `GET ${path}`)).status).toBe(403);
    const { status, object } = await hub.send('jane', `GET ${path}?fieldSelector=metadata.name%3Da`);
    expect([status, (object['items'] as KubeObject[]).map((item) => item.metadata.name)]).toEqual([200, ['a']]);
    expect((await hub.send('jane', `GET ${path}?fieldSelector=metadata.name!%3Da`)).status).toBe(403);
    expect((await hub.send('jane', `GET ${path}?fieldSelector=metadata.name%3Db,metadata.name%3Da`)).status).toBe(403);
    expect((await hub.send('jane', `POST ${path}`, { object: configMap('a') })).status).toBe(403);
  });

  it('asks for the right to create when a PUT would create', async () => {
    const rules = [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['update', 'get'] }];
    await hub.send(root, `POST ${rbacPath}/namespaces/default/roles`, { object: role('default/lease', rules) });
    await hub.bind('default/b', 'Role/lease', 'User/jane');
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l', namespace: 'default' },
      spec: {},
    };
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
    expect((await hub.send('jane', `PUT ${path}`, { object: lease })).text).toMatch(
      /^403 .*cannot create resource "leases"/,
    );
    expect((await hub.send(root, `PUT ${path}`, { object: lease })).status).toBe(201);
    expect(
      (await hub.send('jane', `PUT ${path}`, { object: { ...lease, spec: { holderIdentity: 'j' } } })).status,
    ).toBe(200);
  });
});

describe('nobody gives what they lack', () => {
  it('by roles, bindings, or patches of them', async () => {
    await hub.bind('default/b', 'ClusterRole/admin', 'User/jane');
    const roles = `${rbacPath}/namespaces/default/roles`;
    const bindings = `${rbacPath}/namespaces/default/rolebindings`;
    const modest = role('default/r', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]);
    expect((await hub.send('jane', `POST ${roles}`, { object: modest })).status).toBe(201);
    expect(
      (await hub.send('jane', `POST ${bindings}`, { object: binding('default/r', 'Role/r', 'User/joe') })).status,
    ).toBe(201);
    const greedy = role('default/g', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]);
    expect((await hub.send('jane', `POST ${roles}`, { object: greedy })).text).toMatch(/^403 .*not currently held/s);
    const own = binding('default/g', 'ClusterRole/cluster-admin', 'User/jane');
    expect((await hub.send('jane', `POST ${bindings}`, { object: own })).text).toMatch(/^403 .*not currently held/s);
    const patch = { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] };
    const merge = { 'content-type': 'application/merge-patch+json' };
    expect((await hub.send('jane', `PATCH ${roles}/r`, { object: patch, headers: merge })).text).toMatch(
      /^403 .*not currently held/s,
    );
    expect((await hub.send('jane', `GET /api/v1/nodes`)).status).toBe(403);
    expect(
      (
        await hub.send('jane', `POST ${rbacPath}/clusterrolebindings`, {
          object: binding('x', 'ClusterRole/view', 'User/jane'),
        })
      ).status,
    ).toBe(403);
  });

  it('by impersonation', async () => {
    const masters = { 'impersonate-user': 'root', 'impersonate-group': 'system:masters' };
    expect((await hub.send('jane', 'GET /api/v1/secrets', { headers: masters })).text).toMatch(
      /^403 users "root" is forbidden/,
    );
    expect((await hub.send(root, 'GET /api/v1/secrets', { headers: { 'impersonate-user': 'jane' } })).status).toBe(403);
    await hub.bind('default/b', 'ClusterRole/view', 'User/jane');
    const as = { 'impersonate-user': 'jane' };
    expect((await hub.send(root, 'GET /api/v1/namespaces/default/pods', { headers: as })).status).toBe(200);
  });
});
