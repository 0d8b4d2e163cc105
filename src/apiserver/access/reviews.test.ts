import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, testHub } from '../../../test/kit/auth/hub.ts';
import type { Answer, TestHub } from '../../../test/kit/auth/hub.ts';

let hub: TestHub;
beforeEach(async () => {
  hub = await testHub();
});
afterEach(() => hub.close());

/** Waits for the Secret to look as it should, by watching the store. */
const secretWith = (
  good: (secret: Record<string, unknown> | undefined) => boolean,
): Promise<Record<string, unknown> | undefined> =>
  new Promise((resolve) => {
    const key = '/registry/core/secrets/default/robot-token';
    const look = (): void => {
      const value = hub.store.get(key)?.value as Record<string, unknown> | undefined;
      if (!good(value)) return;
      queueMicrotask(() => watch.close());
      resolve(value);
    };
    const watch = hub.store.watch(key, hub.store.revision, { onEvents: look, onEnd: () => undefined });
    look();
  });
const text = (secret: Record<string, unknown> | undefined, name: string): string =>
  Buffer.from((secret?.['data'] as Record<string, string> | undefined)?.[name] ?? '', 'base64').toString();

describe('service accounts', () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const robot = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
  const emptySecret = {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: { name: 'robot-token', annotations: { 'kubernetes.io/service-account.name': 'robot' } },
  };
  const secretPath = '/api/v1/namespaces/default/secrets/robot-token';
  it('get tokens on request, for as long as asked', async () => {
    await hub.send(root, `POST ${accounts}`, { object: robot });
    await hub.bind('default/b', 'ClusterRole/view', 'ServiceAccount/default/robot');
    const { status, object } = await hub.send(root, `POST ${accounts}/robot/token`, {
      object: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 600 },
      },
    });
    expect(status).toBe(201);
    const issued = object['status'] as { token: string; expirationTimestamp: string };
    expect(object['kind']).toBe('TokenRequest');
    expect(Date.parse(issued.expirationTimestamp) - Date.parse(object.metadata.creationTimestamp ?? '')).toBe(600_000);
    expect((await hub.send(issued, 'GET /api/v1/namespaces/default/pods')).status).toBe(200);
    expect((await hub.send(issued, 'GET /api/v1/namespaces/default/secrets')).status).toBe(403);
    const who = await hub.send(issued, 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews', { object: {} });
    expect(who.object['status']).toMatchObject({ userInfo: { username: 'system:serviceaccount:default:robot' } });
    await hub.send(root, `DELETE ${accounts}/robot`);
    expect((await hub.send(issued, 'GET /api/v1/namespaces/default/pods')).status).toBe(401);
  });

  it.each<readonly [string, object, RegExp]>([
    ['too short', { expirationSeconds: 599 }, /^422 .*may not specify a duration less than 10 minutes/],
    ['too long', { expirationSeconds: 2 ** 33 }, /^422 .*larger than 2\^32 seconds/],
    ['no number', { expirationSeconds: '600' }, /^422 /],
    [
      'bound to nothing',
      { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'gone' } },
      /^404 secrets "gone" not found/,
    ],
    [
      'bound to what cannot be',
      { boundObjectRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } },
      /^400 cannot bind token/,
    ],
  ])('get no token that is %s', async (_, spec, message) => {
    await hub.send(root, `POST ${accounts}`, { object: robot });
    expect((await hub.send(root, `POST ${accounts}/robot/token`, { object: { spec } })).text).toMatch(message);
  });

  it('get tokens that die with what they are bound to', async () => {
    await hub.send(root, `POST ${accounts}`, { object: robot });
    const lease = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'lease' } };
    const secretsPath = '/api/v1/namespaces/default/secrets';
    const { object: bound } = await hub.send(root, `POST ${secretsPath}`, { object: lease });
    const ask = (more: object): Promise<Answer> =>
      hub.send(root, `POST ${accounts}/robot/token`, {
        object: { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'lease', ...more } } },
      });
    expect((await ask({ uid: 'another' })).text).toMatch(/^409 .*does not match the UID in record/);
    const { object } = await ask({ uid: bound.metadata.uid });
    const token = object['status'] as { token: string };
    expect((await hub.send(token, 'GET /apis')).status).toBe(200);
    await hub.send(root, `DELETE ${secretsPath}/lease`);
    expect((await hub.send(token, 'GET /apis')).status).toBe(401);
    await hub.send(root, `POST ${secretsPath}`, { object: lease });
    expect((await hub.send(token, 'GET /apis')).status).toBe(401);
  });

  it('give no token to those who may not ask, nor for accounts that do not exist', async () => {
    await hub.send(root, `POST ${accounts}`, { object: robot });
    expect((await hub.send('jane', `POST ${accounts}/robot/token`, { object: {} })).text).toMatch(
      /^403 .*"serviceaccounts\/token"/,
    );
    expect((await hub.send(root, `POST ${accounts}/ghost/token`, { object: {} })).text).toBe(
      '404 serviceaccounts "ghost" not found',
    );
    expect((await hub.send(root, `GET ${accounts}/robot/token`)).status).toBe(405);
    const other = { metadata: { name: 'root', uid: 'x' } };
    expect((await hub.send(root, `POST ${accounts}/robot/token`, { object: other })).status).toBe(422);
    expect((await hub.send(root, `POST ${accounts}/robot/token`, { object: { metadata: { uid: 'x' } } })).status).toBe(
      409,
    );
  });

  it('have their Secrets filled, and lose them with themselves', async () => {
    await hub.send(root, `POST ${accounts}`, { object: robot });
    expect((await hub.send(root, 'POST /api/v1/namespaces/default/secrets', { object: emptySecret })).status).toBe(201);
    const secret = await secretWith((value) => text(value, 'token') !== '');
    expect([text(secret, 'ca.crt'), text(secret, 'namespace')]).toEqual([hub.authority.certificate, 'default']);
    const token = text(secret, 'token');
    expect(
      (await hub.send({ token }, 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews', { object: {} })).status,
    ).toBe(201);
    await hub.send(root, `DELETE ${accounts}/robot`);
    await secretWith((value) => value === undefined);
    await hub.send(root, `POST ${accounts}`, { object: robot });
    expect((await hub.send({ token }, 'GET /apis')).status).toBe(401);
    expect((await hub.send(root, `GET ${secretPath}`)).status).toBe(404);
  });
});

const access = (kind: string, spec: object, metadata: object = {}): object => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind,
  metadata,
  spec,
});
const pods = { verb: 'list', resource: 'pods', namespace: 'default' };
const path = (plural: string): string => `POST /apis/authorization.k8s.io/v1/${plural}`;
const review = (token: string): object => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  spec: { token },
});

describe('the Secret of an account that was replaced', () => {
  it('is removed, and never filled for its successor', async () => {
    await hub.send(root, 'POST /api/v1/namespaces/default/serviceaccounts', {
      object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } },
    });
    const annotations = {
      'kubernetes.io/service-account.name': 'robot',
      'kubernetes.io/service-account.uid': 'of-another',
    };
    const { status } = await hub.send(root, 'POST /api/v1/namespaces/default/secrets', {
      object: {
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'kubernetes.io/service-account-token',
        metadata: { name: 'robot-token', annotations },
      },
    });
    expect(status).toBe(201);
    await secretWith((value) => value === undefined || text(value, 'token') !== '');
    expect((await hub.send(root, 'GET /api/v1/namespaces/default/secrets/robot-token')).status).toBe(404);
  });
});

describe('reviews', () => {
  beforeEach(() => hub.bind('default/b', 'ClusterRole/view', 'User/jane'));

  it('a user may review its own rights', async () => {
    const ask = (resourceAttributes: object): Promise<Answer> =>
      hub.send('jane', path('selfsubjectaccessreviews'), {
        object: access('SelfSubjectAccessReview', { resourceAttributes }),
      });
    expect((await ask(pods)).object['status']).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b/default" of ClusterRole "view" to User "jane"',
    });
    expect((await ask({ ...pods, verb: 'delete' })).object['status']).toEqual({ allowed: false });
    expect((await ask({ ...pods, namespace: '' })).object['status']).toEqual({ allowed: false });
    const rules = await hub.send('jane', path('selfsubjectrulesreviews'), {
      object: access('SelfSubjectRulesReview', { namespace: 'default' }),
    });
    const status = rules.object['status'] as { resourceRules: { resources: string[] }[]; nonResourceRules: object[] };
    expect(status.resourceRules.some((rule) => rule.resources.includes('pods'))).toBe(true);
    expect(status).toMatchObject({ incomplete: false, nonResourceRules: expect.arrayContaining([]) as object });
    expect(
      (await hub.send('jane', path('selfsubjectrulesreviews'), { object: access('SelfSubjectRulesReview', {}) })).text,
    ).toBe('400 no namespace on request');
  });

  it('a user with the right to may review the rights of others', async () => {
    const spec = { user: 'jane', groups: ['dev'], resourceAttributes: pods };
    const review = access('SubjectAccessReview', spec);
    expect((await hub.send('jane', path('subjectaccessreviews'), { object: review })).status).toBe(403);
    expect((await hub.send(root, path('subjectaccessreviews'), { object: review })).object).toMatchObject({
      spec,
      status: { allowed: true },
    });
    const url = access('SubjectAccessReview', {
      user: 'jane',
      nonResourceAttributes: { verb: 'get', path: '/metrics' },
    });
    expect((await hub.send(root, path('subjectaccessreviews'), { object: url })).object['status']).toEqual({
      allowed: false,
    });
  });

  it.each<readonly [string, object, RegExp]>([
    ['no subject', { resourceAttributes: pods }, /at least one of user or group must be specified/],
    ['no attributes', { user: 'x' }, /exactly one of nonResourceAttributes or resourceAttributes/],
    [
      'both attributes',
      { user: 'x', resourceAttributes: pods, nonResourceAttributes: { path: '/' } },
      /cannot be specified in combination/,
    ],
  ])('with %s are refused', async (_, spec, message) => {
    expect(
      (await hub.send(root, path('subjectaccessreviews'), { object: access('SubjectAccessReview', spec) })).text,
    ).toMatch(message);
  });

  it('a review in a namespace answers about that namespace only', async () => {
    await hub.bind('default/a', 'ClusterRole/admin', 'User/joe');
    const local = path('namespaces/default/localsubjectaccessreviews');
    const ask = (resourceAttributes: object): Promise<Answer> =>
      hub.send('joe', local, {
        object: access('LocalSubjectAccessReview', { user: 'jane', resourceAttributes }, { namespace: 'default' }),
      });
    expect((await ask(pods)).object['status']).toMatchObject({ allowed: true });
    expect((await ask({ ...pods, namespace: 'kube-system' })).text).toMatch(/^422 .*must match metadata.namespace/);
    expect((await ask({ ...pods, namespace: '' })).text).toMatch(/^422 /);
  });

  it('a token review tells whose token it is', async () => {
    const post = 'POST /apis/authentication.k8s.io/v1/tokenreviews';
    expect((await hub.send('jane', post, { object: review('x') })).status).toBe(403);
    expect((await hub.send(root, post, { object: review('x') })).object['status']).toEqual({
      user: {},
      error: 'invalid bearer token',
    });
    expect((await hub.send(root, post, { object: review('') })).status).toBe(400);
    const account = await hub.send(root, 'POST /api/v1/namespaces/default/serviceaccounts', {
      object: {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'robot' },
      },
    });
    const uid = account.object.metadata.uid ?? '';
    const issued = await hub.send(root, 'POST /api/v1/namespaces/default/serviceaccounts/robot/token', {
      object: { spec: { audiences: ['vault'] } },
    });
    const { token } = issued.object['status'] as { token: string };
    const ask = (audiences: string[]): Promise<Answer> =>
      hub.send(root, post, {
        object: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token, audiences } },
      });
    expect((await ask(['vault'])).object['status']).toMatchObject({
      authenticated: true,
      audiences: ['vault'],
      user: { uid },
    });
    expect((await ask([])).object['status']).not.toHaveProperty('authenticated');
  });
});
