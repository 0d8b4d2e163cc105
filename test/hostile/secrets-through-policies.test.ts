/** Nobody reads through Works, or places by a policy, what they may not read. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHouse } from './kit.ts';
import type { House } from './kit.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const policies = '/apis/policy.karmada.io/v1alpha1';
const works = '/apis/work.karmada.io/v1alpha1';
const space = `${works}/namespaces/karmada-es-member1/works`;
const secretData = 'aHVudGVyMg==';

const rule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]): object => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});
const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const onPolicies = rule('policy.karmada.io', ['propagationpolicies', 'clusterpropagationpolicies'], all);

/** The users and their rights: everywhere, or in namespace red. */
const rights: readonly (readonly [user: string, where: 'cluster' | 'red', rules: readonly object[] | string])[] = [
  ['viewer', 'cluster', 'view'],
  ['editor', 'red', 'edit'],
  ['reader', 'cluster', [rule('work.karmada.io', ['works', 'works/status'], all)]],
  ['keeper', 'cluster', [rule('work.karmada.io', ['works'], all), rule('', ['secrets'], ['get'])]],
  ['author', 'red', [onPolicies]],
  ['configurer', 'red', [onPolicies, rule('', ['configmaps'], ['get']), rule('apps', ['deployments'], ['get'])]],
  ['propagator', 'red', [onPolicies, rule('', ['secrets'], ['propagate'])]],
  ['fleet', 'cluster', [onPolicies, rule('', ['configmaps'], ['get'])]],
  ['named', 'red', [onPolicies, { ...rule('', ['secrets'], ['get']), resourceNames: ['one'] }]],
];

let house: House;
beforeAll(async () => {
  house = await openHouse();
  for (const name of ['red', 'karmada-es-member1']) await house.does('POST /api/v1/namespaces', { metadata: { name } });
  for (const [user, where, granted] of rights) await grant(user, where, granted);
  const manifest = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'red' },
    data: { p: secretData },
  };
  await house.does(`POST ${space}`, {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name: 's' },
    spec: { workload: { manifests: [manifest] } },
  });
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

async function grant(user: string, where: 'cluster' | 'red', granted: readonly object[] | string): Promise<void> {
  const [scope, kind] = where === 'cluster' ? ['', 'Cluster'] : ['namespaces/red/', ''];
  const name = typeof granted === 'string' ? granted : user;
  if (typeof granted !== 'string') {
    await house.does(`POST ${rbac}/${scope}${kind.toLowerCase()}roles`, { metadata: { name }, rules: granted });
  }
  const roleKind = typeof granted === 'string' ? 'ClusterRole' : `${kind}Role`;
  await house.does(`POST ${rbac}/${scope}${kind.toLowerCase()}rolebindings`, {
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
  });
}

describe('a Secret in a Work', () => {
  const merge = { 'content-type': 'application/merge-patch+json' };
  const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const ways: readonly (readonly [line: string, words: { object?: object; headers?: Record<string, string> }])[] = [
    [`GET ${space}/s`, {}],
    [`GET ${space}/s/status`, {}],
    [`GET ${space}`, {}],
    [`GET ${space}?fieldSelector=metadata.name%3Ds`, {}],
    [`GET ${space}?includeObject=Object`, { headers: table }],
    [`GET ${works}/works`, {}],
    [`GET ${works}/works?watch=true&timeoutSeconds=1`, {}],
    [`GET ${works}/watch/works?timeoutSeconds=1`, {}],
    [`PATCH ${space}/s`, { object: { metadata: { labels: { a: 'b' } } }, headers: merge }],
    [`PATCH ${space}/s/status`, { object: { status: {} }, headers: merge }],
    [`PATCH ${space}/s?dryRun=All`, { object: { metadata: { labels: { a: 'b' } } }, headers: merge }],
    [`DELETE ${space}/s?dryRun=All`, {}],
    [`DELETE ${space}?dryRun=All`, {}],
  ];

  test.each(ways)('%s shows it to nobody without the right to Secrets', async (line, words) => {
    for (const user of ['viewer', 'editor', 'reader']) {
      const { status, body } = await house.as(user, line, words);
      expect([user, status]).toEqual([user, 403]);
      expect(body).not.toContain(secretData);
    }
  });

  test('is read with the rights to Works and to Secrets', async () => {
    const { status, body } = await house.as('keeper', `GET ${space}/s`);
    expect(status).toBe(200);
    expect(body).toContain(secretData);
    expect((await house.as('reader', `GET ${space}/s`)).body).toContain(
      'needs the right to get secrets in all namespaces',
    );
  });

  test('the roles view, edit and admin name neither Works nor bindings', async () => {
    for (const role of ['view', 'edit', 'admin']) {
      expect((await house.does(`GET ${rbac}/clusterroles/${role}`)).body).not.toContain('work.karmada.io');
    }
  });
});

describe('a policy', () => {
  let serial = 0;
  const bodyOf = (line: string, select: object, more: object = {}): object => ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: line.includes('cluster') ? 'ClusterPropagationPolicy' : 'PropagationPolicy',
    metadata: { name: `p${serial++}` },
    spec: { resourceSelectors: [select], placement: { clusterAffinity: { clusterNames: ['member1'] } }, ...more },
  });
  const secrets = { apiVersion: 'v1', kind: 'Secret' };
  const maps = { apiVersion: 'v1', kind: 'ConfigMap' };
  const deployments = { apiVersion: 'apps/v1', kind: 'Deployment' };
  const namespaced = `POST ${policies}/namespaces/red/propagationpolicies`;
  const fleetWide = `POST ${policies}/clusterpropagationpolicies`;

  test.each([
    ['author', namespaced, secrets, {}, 403],
    ['author', namespaced, maps, {}, 403],
    ['configurer', namespaced, maps, {}, 201],
    ['configurer', namespaced, secrets, {}, 403],
    ['configurer', namespaced, deployments, {}, 201],
    ['configurer', namespaced, deployments, { propagateDeps: true }, 403],
    ['editor', namespaced, secrets, {}, 201],
    ['editor', namespaced, deployments, { propagateDeps: true }, 201],
    ['propagator', namespaced, secrets, {}, 201],
    ['propagator', namespaced, maps, {}, 403],
    ['named', namespaced, { ...secrets, name: 'one' }, {}, 201],
    ['named', namespaced, { ...secrets, name: 'two' }, {}, 403],
    ['named', namespaced, secrets, {}, 403],
    ['named', namespaced, { ...secrets, labelSelector: { matchLabels: { a: 'b' } } }, {}, 403],
    ['fleet', fleetWide, maps, {}, 201],
    ['fleet', fleetWide, secrets, {}, 403],
    ['fleet', fleetWide, { ...secrets, namespace: 'red' }, {}, 403],
    ['fleet', fleetWide, { ...secrets, namespace: 're*' }, {}, 403],
    ['fleet', fleetWide, { apiVersion: 'other.example/v1', kind: 'Thing' }, {}, 403],
  ] as const)('%s by %s that selects %j with %j is answered %i', async (user, line, select, more, status) => {
    const answer = await house.as(user, line, { object: bodyOf(line, select, more) });
    expect([answer.status, answer.body.slice(0, 300)]).toEqual([status, expect.anything()]);
    if (status === 403) expect(answer.body).toContain('the verb get or propagate on');
  });

  test('is not widened by an edit; an edit of its metadata is nobody’s concern', async () => {
    const { object } = await house.as('configurer', namespaced, { object: bodyOf(namespaced, maps) });
    const path = `${policies}/namespaces/red/propagationpolicies/${object.metadata.name}`;
    const headers = { 'content-type': 'application/merge-patch+json' };
    const widened = { spec: { resourceSelectors: [maps, secrets] } };
    expect((await house.as('configurer', `PATCH ${path}`, { object: widened, headers })).status).toBe(403);
    const labelled = { metadata: { labels: { team: 'red' } } };
    expect((await house.as('author', `PATCH ${path}`, { object: labelled, headers })).status).toBe(200);
    const moved = { spec: { placement: { clusterAffinity: { clusterNames: ['member2'] } } } };
    expect((await house.as('author', `PATCH ${path}`, { object: moved, headers })).status).toBe(403);
  });
});
