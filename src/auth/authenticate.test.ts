import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/index.ts';
import type { User } from '../api/index.ts';
import type { HubRequest } from '../apiserver/http.ts';
import type { ResourceAttributes } from './attributes.ts';
import { authenticated } from './authenticate.ts';
import { impersonated, repeatedHeaders } from './impersonate.ts';
import type { Rbac } from './rbac.ts';

const robot: User = { name: 'system:serviceaccount:ns:robot', groups: ['system:authenticated'] };
const tokens = {
  authenticate: (token: string) => (token === 'good' ? { user: robot, audiences: [] } : { refused: 'secret detail' }),
};
const request = (headers: Record<string, string>, more: Partial<HubRequest> = {}): HubRequest => ({
  method: 'GET',
  path: '/api/v1/pods',
  query: '',
  headers,
  ...more,
});
const codeOf = (run: () => unknown): number => {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  return 200;
};

describe('the caller', () => {
  it('the user of a certificate, with its groups', () => {
    const peer = { commonName: 'jane', organizations: ['dev', '', 'system:authenticated'] };
    expect(authenticated(request({}, { peer }), tokens)).toEqual({
      name: 'jane',
      groups: ['dev', 'system:authenticated'],
    });
  });

  it('the certificate before the token, and the same answer twice', () => {
    const both = request({ authorization: 'Bearer bad' }, { peer: { commonName: 'jane', organizations: [] } });
    expect(authenticated(both, tokens).name).toBe('jane');
    expect(authenticated(both, tokens)).toBe(authenticated(both, tokens));
  });

  it('names the credential for the audit log', () => {
    const peer = { commonName: 'jane', organizations: [], raw: Buffer.from('x') };
    const extra = authenticated(request({}, { peer }), tokens).extra;
    expect(extra?.['authentication.kubernetes.io/credential-id']?.[0]).toMatch(/^X509SHA256=[0-9a-f]{64}$/);
  });

  const bearers: readonly [string, number][] = [
    ['Bearer good', 200],
    ['bearer good', 200],
    ['BEARER  good ', 200],
    ['Bearer bad', 401],
    ['Bearer good bad', 401],
    ['Bearer', 401],
    ['Bearer ', 401],
    ['Bearergood', 401],
    ['Basic good', 401],
    ['good', 401],
    ['', 401],
  ];
  it.each(bearers)('Authorization: %j gives %i', (authorization, code) => {
    expect(codeOf(() => authenticated(request({ authorization }), tokens))).toBe(code);
  });

  it('says nothing about why a token is bad', () => {
    expect(() => authenticated(request({ authorization: 'Bearer bad' }), tokens)).toThrow(/^Unauthorized$/);
  });

  const paths: readonly [string, number][] = [
    ['/livez', 200],
    ['/readyz', 200],
    ['/healthz', 200],
    ['/version', 200],
    ['/metrics', 401],
    ['/', 401],
    ['/api', 401],
    ['/livez/', 401],
    ['//livez', 401],
    ['/livez/../api/v1/secrets', 401],
    ['/livez%2f..%2fapi', 401],
    ['/LIVEZ', 401],
    ['/livez;x', 401],
    ['/api/v1/namespaces/livez/secrets', 401],
  ];
  it.each(paths)('nobody on %s gives %i', (path, code) => {
    expect(codeOf(() => authenticated(request({}, { path }), tokens))).toBe(code);
  });

  it('nobody is anonymous, and a bad token is not nobody', () => {
    expect(authenticated(request({}, { path: '/livez' }), tokens)).toEqual({
      name: 'system:anonymous',
      groups: ['system:unauthenticated'],
    });
    expect(codeOf(() => authenticated(request({ authorization: 'Bearer bad' }, { path: '/livez' }), tokens))).toBe(401);
  });
});

/** Allows what is listed, written as `[group/]resource[/subresource] [namespace/]name`. */
const rbac = (...allowed: string[]): Pick<Rbac, 'decide'> => ({
  decide: (_, attributes) => {
    const { verb, group, resource, subresource, namespace, name } = attributes as ResourceAttributes;
    const what = [group, resource, subresource].filter(Boolean).join('/');
    const key = `${what} ${[namespace, name].filter(Boolean).join('/')}`;
    return { allowed: verb === 'impersonate' && (allowed.includes(key) || allowed.includes('*')), reason: '' };
  },
});

describe('impersonation', () => {
  const caller: User = { name: 'support', groups: ['system:authenticated'] };
  const everything = rbac('*');
  const act = (raw: readonly (readonly [string, string])[], may = everything): User => {
    const headers: Record<string, string> = {};
    for (const [name, value] of raw) {
      const key = name.toLowerCase();
      headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
    }
    const repeated = repeatedHeaders(raw.flat());
    return impersonated(request(headers, repeated ? { repeated } : {}), caller, may);
  };

  it('is nothing without its headers', () => {
    expect(
      act([
        ['X-Impersonate-User', 'jane'],
        ['Impersonate_User', 'jane'],
      ]),
    ).toBe(caller);
  });

  it.each<readonly [string, readonly (readonly [string, string])[], User]>([
    ['a user', [['Impersonate-User', 'jane']], { name: 'jane', groups: ['system:authenticated'] }],
    [
      'groups, one header each, commas and all',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Group', 'dev'],
        ['impersonate-GROUP', 'a, b'],
      ],
      { name: 'jane', groups: ['dev', 'a, b', 'system:authenticated'] },
    ],
    [
      'one group with a comma',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Group', 'dev, system:masters'],
      ],
      { name: 'jane', groups: ['dev, system:masters', 'system:authenticated'] },
    ],
    [
      'a service account',
      [['Impersonate-User', 'system:serviceaccount:ns:robot']],
      {
        name: 'system:serviceaccount:ns:robot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
      },
    ],
    [
      'a service account in given groups',
      [
        ['Impersonate-User', 'system:serviceaccount:ns:robot'],
        ['Impersonate-Group', 'x'],
      ],
      { name: 'system:serviceaccount:ns:robot', groups: ['x', 'system:authenticated'] },
    ],
    [
      'nobody',
      [['Impersonate-User', 'system:anonymous']],
      { name: 'system:anonymous', groups: ['system:unauthenticated'] },
    ],
    [
      'an unauthenticated user',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Group', 'system:unauthenticated'],
      ],
      { name: 'jane', groups: ['system:unauthenticated'] },
    ],
    [
      'uid and extra',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Uid', '7'],
        ['Impersonate-Extra-Acme%2Fteam', 'a'],
        ['Impersonate-Extra-acme%2fteam', 'b'],
        ['Impersonate-Extra-bad%', 'c'],
      ],
      { name: 'jane', uid: '7', groups: ['system:authenticated'], extra: { 'acme/team': ['a', 'b'], 'bad%': ['c'] } },
    ],
  ])('%s', (_, headers, user) => expect(act(headers)).toEqual(user));

  it.each<readonly [string, readonly (readonly [string, string])[], readonly string[], string]>([
    [
      'the user',
      [['Impersonate-User', 'jane']],
      ['users joe'],
      'users "jane" is forbidden: User "support" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    [
      'a group',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Group', 'system:masters'],
      ],
      ['users jane', 'groups dev'],
      'groups "system:masters" is forbidden: User "support" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ],
    [
      'the second group',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Group', 'dev'],
        ['Impersonate-Group', 'system:masters'],
      ],
      ['users jane', 'groups dev'],
      'groups "system:masters" is forbidden: User "support" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ],
    [
      'two groups in one',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Group', 'dev, dev'],
      ],
      ['users jane', 'groups dev'],
      'groups "dev, dev" is forbidden: User "support" cannot impersonate resource "groups" in API group "" at the cluster scope',
    ],
    [
      'a service account of another namespace',
      [['Impersonate-User', 'system:serviceaccount:kube-system:robot']],
      ['serviceaccounts ns/robot', 'users system:serviceaccount:kube-system:other'],
      'serviceaccounts "robot" is forbidden: User "support" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "kube-system"',
    ],
    [
      'a user that looks like a service account',
      [['Impersonate-User', 'system:serviceaccount:ns:Robot']],
      ['serviceaccounts ns/Robot'],
      'users "system:serviceaccount:ns:Robot" is forbidden: User "support" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    [
      'a uid',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Uid', '7'],
      ],
      ['users jane'],
      'uids.authentication.k8s.io "7" is forbidden: User "support" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
    ],
    [
      'extra',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-Extra-Scope', 'all'],
      ],
      ['users jane', 'authentication.k8s.io/userextras/scope some'],
      'userextras.authentication.k8s.io "all" is forbidden: User "support" cannot impersonate resource "userextras/scope" in API group "authentication.k8s.io" at the cluster scope',
    ],
  ])('needs the right to %s', (_, headers, allowed, message) => {
    expect(() => act(headers, rbac(...allowed))).toThrow(message);
  });

  it.each<readonly [string, readonly (readonly [string, string])[]]>([
    ['a group without a user', [['Impersonate-Group', 'dev']]],
    [
      'an empty user',
      [
        ['Impersonate-User', ''],
        ['Impersonate-Group', 'dev'],
      ],
    ],
    ['only a uid', [['Impersonate-Uid', '7']]],
    ['only extra', [['Impersonate-Extra-x', 'y']]],
    [
      'two users',
      [
        ['Impersonate-User', 'jane'],
        ['Impersonate-User', 'root'],
      ],
    ],
    ['a header of this kind that does not exist', [['Impersonate-Everything', 'yes']]],
  ])('makes no sense with %s', (_, headers) => expect(codeOf(() => act(headers))).toBe(400));
});
