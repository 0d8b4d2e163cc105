import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallWords, House } from './kit.ts';
import { leaks, marker, openTenants } from './tenants.ts';

const core = '/api/v1/namespaces';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const policies = '/apis/policy.karmada.io/v1alpha1';
const works = '/apis/work.karmada.io/v1alpha1';
const clusters = '/apis/cluster.karmada.io/v1alpha1/clusters';

const roleRef = (name: string, kind = 'ClusterRole'): object => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
const subject = (name: string): object => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name });

let house: House;
beforeAll(async () => {
  house = await openTenants();
});
afterAll(async () => {
  await house.close();
  expect(house.faults).toEqual([]);
});

/** One attempt and the status that it must get. */
type Row = readonly [trick: string, user: string, line: string, status: number, words?: CallWords];

const as = (headers: Readonly<Record<string, string>>): CallWords => ({ headers });
const apply = (object: object): CallWords => ({ object, headers: { 'content-type': 'application/apply-patch+yaml' } });
const merge = (object: object): CallWords => ({ object, headers: { 'content-type': 'application/merge-patch+json' } });

const impersonation: readonly Row[] = [
  ['the owner of blue', 'ann', `GET ${core}/blue/secrets`, 403, as({ 'impersonate-user': 'bob' })],
  [
    'the group of administrators',
    'ann',
    `GET ${core}/blue/secrets`,
    403,
    as({ 'impersonate-user': 'ann', 'impersonate-group': 'system:masters' }),
  ],
  ['a group without a user', 'ann', `GET ${core}/red/configmaps`, 400, as({ 'impersonate-group': 'system:masters' })],
  [
    'a service account of blue',
    'ann',
    `GET ${core}/blue/secrets`,
    403,
    as({ 'impersonate-user': 'system:serviceaccount:blue:own' }),
  ],
  ['a uid', 'ann', `GET ${core}/red/configmaps`, 403, as({ 'impersonate-user': 'ann', 'impersonate-uid': '1' })],
  ['an extra', 'ann', `GET ${core}/red/configmaps`, 403, as({ 'impersonate-user': 'ann', 'impersonate-extra-a': 'b' })],
  ['the controllers', 'adam', `GET ${core}/red/configmaps`, 403, as({ 'impersonate-user': 'system:sluice' })],
  ['anybody, as nobody', '', `GET ${core}/red/configmaps`, 401, as({ 'impersonate-user': 'ann' })],
];

const tokens: readonly Row[] = [
  [
    'a token for a service account of blue',
    'ann',
    `POST ${core}/blue/serviceaccounts/own/token`,
    403,
    { object: { spec: {} } },
  ],
  ['a token for one of its own', 'ann', `POST ${core}/red/serviceaccounts/own/token`, 201, { object: { spec: {} } }],
  [
    'a token by somebody who only looks',
    'eve',
    `POST ${core}/red/serviceaccounts/own/token`,
    403,
    { object: { spec: {} } },
  ],
  ['a token that is none', '', `GET ${core}/blue/secrets`, 401, { token: 'x' }],
  [
    'a token without a signature',
    '',
    `GET ${core}/blue/secrets`,
    401,
    { token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.' },
  ],
  [
    'another user in a review of access',
    'ann',
    'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
    403,
    { object: { spec: { user: 'bob' } } },
  ],
  [
    'a review of somebody else’s token',
    'ann',
    'POST /apis/authentication.k8s.io/v1/tokenreviews',
    403,
    { object: { spec: { token: 'x' } } },
  ],
  [
    'a certificate request',
    'ann',
    'POST /apis/certificates.k8s.io/v1/certificatesigningrequests',
    403,
    { object: { metadata: { name: 'x' } } },
  ],
  [
    'the approval of one',
    'adam',
    'PUT /apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval',
    403,
    { object: {} },
  ],
];

const escalation: readonly Row[] = [
  [
    'a binding to cluster-admin',
    'adam',
    `POST ${rbac}/namespaces/red/rolebindings`,
    403,
    { object: { metadata: { name: 'x' }, roleRef: roleRef('cluster-admin'), subjects: [subject('adam')] } },
  ],
  [
    'a binding as a dry run',
    'adam',
    `POST ${rbac}/namespaces/red/rolebindings?dryRun=All`,
    403,
    { object: { metadata: { name: 'x' }, roleRef: roleRef('cluster-admin'), subjects: [subject('adam')] } },
  ],
  [
    'a binding by apply',
    'adam',
    `PATCH ${rbac}/namespaces/red/rolebindings/x?fieldManager=m`,
    403,
    apply({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'x' },
      roleRef: roleRef('cluster-admin'),
    }),
  ],
  [
    'a role with every right',
    'adam',
    `POST ${rbac}/namespaces/red/roles`,
    403,
    { object: { metadata: { name: 'x' }, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] } },
  ],
  [
    'a role that may escalate',
    'adam',
    `POST ${rbac}/namespaces/red/roles`,
    403,
    {
      object: {
        metadata: { name: 'x' },
        rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['escalate'] }],
      },
    },
  ],
  [
    'a role that may bind',
    'adam',
    `POST ${rbac}/namespaces/red/roles`,
    403,
    {
      object: {
        metadata: { name: 'x' },
        rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['bind'] }],
      },
    },
  ],
  [
    'a role with what one has',
    'adam',
    `POST ${rbac}/namespaces/red/roles`,
    201,
    { object: { metadata: { name: 'fine' }, rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }] } },
  ],
  [
    'that role made larger',
    'adam',
    `PATCH ${rbac}/namespaces/red/roles/fine`,
    403,
    merge({ rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }),
  ],
  [
    'a role in blue',
    'adam',
    `POST ${rbac}/namespaces/blue/roles`,
    403,
    { object: { metadata: { name: 'x' }, rules: [] } },
  ],
  [
    'a cluster role that others aggregate',
    'adam',
    `POST ${rbac}/clusterroles`,
    403,
    {
      object: { metadata: { name: 'x', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } }, rules: [] },
    },
  ],
  [
    'a role by somebody with edit',
    'ann',
    `POST ${rbac}/namespaces/red/roles`,
    403,
    { object: { metadata: { name: 'x' }, rules: [] } },
  ],
];

const machinery: readonly Row[] = [
  ['Works of a member', 'ann', `GET ${works}/namespaces/karmada-es-member1/works`, 403],
  [
    'a Work for a member',
    'ann',
    `POST ${works}/namespaces/karmada-es-member1/works`,
    403,
    { object: { metadata: { name: 'x' }, spec: { workload: { manifests: [] } } } },
  ],
  [
    'a Work in its own namespace',
    'ann',
    `POST ${works}/namespaces/red/works`,
    403,
    { object: { metadata: { name: 'x' } } },
  ],
  [
    'a binding by hand',
    'ann',
    `POST /apis/work.karmada.io/v1alpha2/namespaces/red/resourcebindings`,
    403,
    {
      object: {
        metadata: { name: 'x' },
        spec: { resource: { apiVersion: 'v1', kind: 'Secret', namespace: 'blue', name: 'own' } },
      },
    },
  ],
  ['all Works of the fleet', 'eve', `GET ${works}/works`, 403],
  ['Works, watched', 'eve', `GET ${works}/watch/works`, 403],
  [
    'a Cluster that uses a Secret of blue',
    'adam',
    `POST ${clusters}`,
    403,
    {
      object: {
        metadata: { name: 'mine' },
        spec: { syncMode: 'Push', apiEndpoint: 'https://127.0.0.1:1', secretRef: { namespace: 'blue', name: 'own' } },
      },
    },
  ],
  ['the proxy to a member', 'adam', `GET ${clusters}/member1/proxy/api/v1/secrets`, 403],
  [
    'a cluster-wide policy',
    'adam',
    `POST ${policies}/clusterpropagationpolicies`,
    403,
    { object: { metadata: { name: 'x' } } },
  ],
  [
    'a cluster-wide override',
    'ann',
    `POST ${policies}/clusteroverridepolicies`,
    403,
    { object: { metadata: { name: 'x' } } },
  ],
  ['the namespace of blue', 'ann', 'DELETE /api/v1/namespaces/blue', 403],
  [
    'the finalizers of blue',
    'ann',
    'PUT /api/v1/namespaces/blue/finalize',
    403,
    { object: { metadata: { name: 'blue' }, spec: {} } },
  ],
  [
    'a definition of ours',
    'adam',
    'DELETE /apis/apiextensions.k8s.io/v1/customresourcedefinitions/works.work.karmada.io',
    403,
  ],
  [
    'a webhook',
    'adam',
    'POST /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    403,
    { object: { metadata: { name: 'x' } } },
  ],
  ['metrics', 'ann', 'GET /metrics', 403],
];

const oddities: readonly Row[] = [
  ['a name with a slash', 'ann', `GET ${core}/red/configmaps/..%2f..%2fblue%2fconfigmaps%2fown`, 404],
  [
    'a name that climbs',
    'ann',
    `POST ${core}/red/configmaps`,
    422,
    { object: { metadata: { name: '../blue/configmaps/own' } } },
  ],
  [
    'a generated name that climbs',
    'ann',
    `POST ${core}/red/configmaps`,
    422,
    { object: { metadata: { generateName: '../blue/' } } },
  ],
  [
    'a policy of red that selects blue',
    'ann',
    `POST ${policies}/namespaces/red/propagationpolicies`,
    422,
    {
      object: {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: { name: 'x' },
        spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'Secret', namespace: 'blue' }], placement: {} },
      },
    },
  ],
  ['a method that nobody knows', 'ann', `STEAL ${core}/blue/secrets`, 403],
  ['a query that says all namespaces', 'ann', `GET ${core}/red/secrets?namespace=blue`, 200],
  ['a field selector for blue', 'ann', `GET /api/v1/secrets?fieldSelector=metadata.namespace%3Dred`, 403],
  ['a list by the only name one may read', 'one', `GET ${core}/red/configmaps?fieldSelector=metadata.name%3Down`, 200],
  ['a list by another name', 'one', `GET ${core}/red/configmaps?fieldSelector=metadata.name%3Dsecond`, 403],
  ['a list of everything but a name', 'one', `GET ${core}/red/configmaps?fieldSelector=metadata.name!%3Down`, 403],
  [
    'a name within an escaped value',
    'one',
    `GET ${core}/red/configmaps?fieldSelector=metadata.namespace!%3Dx%5C%2Cmetadata.name%3Down`,
    403,
  ],
  ['a name that only looks like one', 'one', `GET ${core}/red/configmaps?fieldSelector=metadata.name%3Down%5C%2C`, 403],
];

/** One test per row: the status is as expected, and nothing of blue's is shown. */
function testsOf(rows: readonly Row[]): void {
  for (const [trick, user, line, status, words] of rows)
    test(`${trick}: ${user || 'nobody'}, ${line} → ${status}`, async () => {
      const answer = await house.as(user, line, words);
      expect(`${answer.status} ${answer.body.slice(0, 300)}`).toMatch(new RegExp(`^${status} `));
      expect(leaks(answer.body)).toBe(false);
    });
}

describe('impersonation', () => testsOf(impersonation));
describe('tokens and certificates', () => testsOf(tokens));
describe('escalation', () => testsOf(escalation));
describe('the machinery of the fleet', () => testsOf(machinery));
describe('odd requests', () => testsOf(oddities));

describe('continue tokens', () => {
  const forged = (start: string, rv = -1): string =>
    Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv, start })).toString('base64url');

  test.each([
    'core/configmaps/blue/',
    'core/configmaps/',
    '',
    'core/secrets/blue/own',
    '../',
    'core/configmaps/red/\uffff',
    '\u0000',
  ])('a token that starts at %j shows nothing outside the list that is asked for', async (start) => {
    for (const query of [`limit=1&continue=${forged(start)}`, `continue=${forged(start, house.store.revision)}`]) {
      const answer = await house.as('ann', `GET ${core}/red/configmaps?${query}`);
      expect(leaks(answer.body)).toBe(false);
      for (const { metadata } of (answer.object as unknown as { items?: { metadata: { namespace: string } }[] })
        .items ?? [])
        expect(metadata.namespace).toBe('red');
    }
  });

  test('the token of another user and namespace gives no more than one’s own list', async () => {
    const page = await house.as('bob', `GET ${core}/blue/configmaps?limit=1`);
    const token = page.object.metadata as { continue?: string };
    const answer = await house.as('ann', `GET ${core}/red/configmaps?limit=9&continue=${token.continue ?? ''}`);
    expect(token.continue).toBeTruthy();
    expect(leaks(answer.body)).toBe(false);
  });
});

describe('owners', () => {
  test('an owner in another namespace neither keeps an object nor takes the owner with it', async () => {
    const owner = await house.does(`GET ${core}/blue/configmaps/own`);
    const { uid } = owner.object.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'own', uid, blockOwnerDeletion: true }];
    const made = await house.as('ann', `POST ${core}/red/configmaps`, {
      object: { metadata: { name: 'owned', ownerReferences } },
    });
    expect(made.status).toBe(201);
    await house.as('ann', `DELETE ${core}/red/configmaps/owned?propagationPolicy=Foreground`);
    const still = await house.as('bob', `GET ${core}/blue/configmaps/own`);
    expect(still.body).toContain(marker);
  });
});

describe('a token of a service account', () => {
  test('has the rights of its account and no others, and ends with it', async () => {
    const issued = await house.as('ann', `POST ${core}/red/serviceaccounts/own/token`, { object: { spec: {} } });
    const { token } = (issued.object as unknown as { status: { token: string } }).status;
    const whoami = await house.as('', 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews', { object: {}, token });
    expect(whoami.body).toContain('system:serviceaccount:red:own');
    for (const line of [`GET ${core}/blue/secrets`, `GET ${core}/red/secrets`, 'GET /api/v1/nodes'])
      expect((await house.as('', line, { token })).status).toBe(403);
    await house.does(`DELETE ${core}/red/serviceaccounts/own`);
    expect((await house.as('', `GET ${core}/red/configmaps`, { token })).status).toBe(401);
  });
});
