import { beforeEach, describe, expect, it } from 'vitest';
import { binding, role, testbed } from '../../test/kit/auth/objects.ts';
import type { Testbed } from '../../test/kit/auth/objects.ts';
import type { User } from '../api/index.ts';
import type { ResourceAttributes } from './attributes.ts';
import { openRbac } from './rbac.ts';
import type { Rbac } from './rbac.ts';

let bed: Testbed;
let rbac: Rbac;
beforeEach(() => {
  bed = testbed();
  rbac = openRbac(bed.objects);
});

const user = (name: string, ...groups: readonly string[]): User => ({ name, groups });
const jane = user('jane', 'dev', 'system:authenticated');
const pods = (namespace: string, more: Partial<ResourceAttributes> = {}): ResourceAttributes => ({
  verb: 'list',
  group: '',
  resource: 'pods',
  subresource: '',
  namespace,
  name: '',
  ...more,
});
const may = (who: User, namespace: string, more: Partial<ResourceAttributes> = {}): boolean =>
  rbac.decide(who, pods(namespace, more)).allowed;
const listPods = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];

describe('subjects', () => {
  const robot = user('system:serviceaccount:ns:robot', 'system:serviceaccounts', 'system:serviceaccounts:ns');
  const cases: readonly [string, User, boolean][] = [
    ['User/jane', jane, true],
    ['User/Jane', jane, false],
    ['User/dev', jane, false],
    ['Group/dev', jane, true],
    ['Group/jane', jane, false],
    ['Group/de', jane, false],
    ['Group/system:authenticated', jane, true],
    ['Group/', user('jane', ''), false],
    ['User/', user('', 'dev'), false],
    ['user/jane', jane, false],
    ['ServiceAccount/ns/robot', robot, true],
    ['ServiceAccount/robot', robot, true],
    ['ServiceAccount/other/robot', robot, false],
    ['ServiceAccount/ns/robo', robot, false],
    ['User/system:serviceaccount:ns:robot', robot, true],
    ['Group/system:serviceaccounts:ns', robot, true],
    ['Group/system:serviceaccounts:n', robot, false],
    ['ServiceAccount/ns/jane', jane, false],
  ];
  it.each(cases)('%s and %j: %j', async (subject, who, allowed) => {
    await bed.put('roles', role('ns/reader', listPods));
    await bed.put('rolebindings', binding('ns/b', 'Role/reader', subject));
    expect(may(who, 'ns')).toBe(allowed);
  });

  it('a service account without a namespace means nobody in a ClusterRoleBinding', async () => {
    await bed.put('clusterroles', role('reader', listPods));
    await bed.put('clusterrolebindings', binding('b', 'ClusterRole/reader', 'ServiceAccount/robot'));
    expect(may(robot, 'ns')).toBe(false);
  });
});

describe('where it holds', () => {
  beforeEach(async () => {
    await bed.put('clusterroles', role('reader', listPods));
    await bed.put('roles', role('ns/reader', [{ apiGroups: [''], resources: ['pods'], verbs: ['watch'] }]));
  });

  it('a RoleBinding grants in its namespace only', async () => {
    await bed.put('rolebindings', binding('ns/b', 'ClusterRole/reader', 'User/jane'));
    expect([may(jane, 'ns'), may(jane, 'other'), may(jane, '')]).toEqual([true, false, false]);
  });

  it('a ClusterRoleBinding grants everywhere', async () => {
    await bed.put('clusterrolebindings', binding('b', 'ClusterRole/reader', 'User/jane'));
    expect([may(jane, 'ns'), may(jane, 'other'), may(jane, '')]).toEqual([true, true, true]);
  });

  it('a Role and a ClusterRole of one name are two', async () => {
    await bed.put('rolebindings', binding('ns/b', 'Role/reader', 'User/jane'));
    expect([may(jane, 'ns'), may(jane, 'ns', { verb: 'watch' })]).toEqual([false, true]);
  });

  it.each([
    ['a ClusterRoleBinding to a Role', 'clusterrolebindings', binding('b', 'Role/reader', 'User/jane')],
    ['a kind in other letters', 'rolebindings', binding('ns/b', 'clusterrole/reader', 'User/jane')],
    ['an unknown kind', 'clusterrolebindings', binding('b', 'Anything/reader', 'User/jane')],
    ['a Role of another namespace by path', 'rolebindings', binding('other/b', 'Role/../ns/reader', 'User/jane')],
  ])('%s grants nothing', async (_, plural, object) => {
    await bed.put(plural, object);
    expect([may(jane, 'ns'), may(jane, 'other'), may(jane, '')]).toEqual([false, false, false]);
  });

  it('a URL is allowed by ClusterRoleBindings only', async () => {
    const metrics = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
    await bed.put('roles', role('ns/m', metrics));
    await bed.put('rolebindings', binding('ns/b', 'Role/m', 'User/jane'));
    expect(rbac.decide(jane, { verb: 'get', path: '/metrics' }).allowed).toBe(false);
    await bed.put('clusterroles', role('m', metrics));
    await bed.put('clusterrolebindings', binding('b', 'ClusterRole/m', 'User/jane'));
    expect(rbac.decide(jane, { verb: 'get', path: '/metrics' }).allowed).toBe(true);
    expect(rbac.decide(jane, { verb: 'get', path: '/metrics/../api' }).allowed).toBe(false);
  });
});

describe('changes take effect before their writer is answered', () => {
  it('a changed role counts at once', async () => {
    await bed.put('rolebindings', binding('ns/b', 'Role/reader', 'User/jane'));
    expect(may(jane, 'ns')).toBe(false);
    await bed.put('roles', role('ns/reader', listPods));
    expect(may(jane, 'ns')).toBe(true);
    await bed.put('roles', role('ns/reader', []));
    expect(may(jane, 'ns')).toBe(false);
    await bed.put('roles', role('ns/reader', listPods));
    await bed.remove('roles', 'ns', 'reader');
    expect(may(jane, 'ns')).toBe(false);
  });

  it('a changed binding counts at once', async () => {
    await bed.put('roles', role('ns/reader', listPods));
    await bed.put('rolebindings', binding('ns/b', 'Role/reader', 'User/jane', 'Group/dev', 'User/jane'));
    await bed.put('rolebindings', binding('ns/c', 'Role/reader', 'User/jane'));
    expect(may(user('joe', 'dev'), 'ns')).toBe(true);
    await bed.put('rolebindings', binding('ns/b', 'Role/reader', 'User/joe'));
    expect([may(user('joe'), 'ns'), may(user('x', 'dev'), 'ns'), may(user('jane'), 'ns')]).toEqual([true, false, true]);
    await bed.remove('rolebindings', 'ns', 'c');
    expect(may(jane, 'ns')).toBe(false);
    await bed.put('rolebindings', { metadata: { name: 'b', namespace: 'ns' }, subjects: 'User/jane', roleRef: 7 });
    expect(may(user('joe'), 'ns')).toBe(false);
  });

  it('objects that existed before count', async () => {
    await bed.put('roles', role('ns/reader', listPods));
    await bed.put('rolebindings', binding('ns/b', 'Role/reader', 'User/jane'));
    const late = openRbac(bed.objects);
    expect(late.decide(jane, pods('ns')).allowed).toBe(true);
    late.close();
    await bed.remove('rolebindings', 'ns', 'b');
    expect(late.decide(jane, pods('ns')).allowed).toBe(true);
    expect(may(jane, 'ns')).toBe(false);
  });
});

describe('reasons', () => {
  it.each([
    [
      'clusterrolebindings',
      binding('b', 'ClusterRole/reader', 'Group/dev'),
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "reader" to Group "dev"',
    ],
    [
      'rolebindings',
      binding('ns/b', 'ClusterRole/reader', 'User/jane'),
      'RBAC: allowed by RoleBinding "b/ns" of ClusterRole "reader" to User "jane"',
    ],
  ])('%s that allow', async (plural, object, reason) => {
    await bed.put('clusterroles', role('reader', listPods));
    await bed.put(plural, object);
    expect(rbac.decide(jane, pods('ns'))).toEqual({ allowed: true, reason });
  });

  it('name the roles that are missing', async () => {
    expect(rbac.decide(jane, pods('ns'))).toEqual({ allowed: false, reason: '' });
    await bed.put('rolebindings', binding('ns/b', 'Role/gone', 'User/jane'));
    const one = 'role.rbac.authorization.k8s.io "gone" not found';
    expect(rbac.decide(jane, pods('ns')).reason).toBe(`RBAC: ${one}`);
    await bed.put('clusterrolebindings', binding('b', 'ClusterRole/lost', 'Group/dev'));
    const two = 'clusterrole.rbac.authorization.k8s.io "lost" not found';
    expect(rbac.decide(jane, pods('ns')).reason).toBe(`RBAC: [${two}, ${one}]`);
  });
});

describe('system:masters', () => {
  it('may do everything with no binding at all, and nobody whose group only looks like it', () => {
    expect(may(user('root', 'system:masters'), 'ns', { verb: 'anything' })).toBe(true);
    expect(rbac.decide(user('root', 'system:masters'), { verb: 'get', path: '/metrics' }).allowed).toBe(true);
    for (const group of ['System:Masters', 'system:masters ', ' system:masters', 'x,system:masters', 'system:master'])
      expect(may(user('system:masters', group), 'ns'), group).toBe(false);
  });
});

it('gathers the rules of a user, each binding once', async () => {
  await bed.put('clusterroles', role('reader', listPods));
  await bed.put('clusterrolebindings', binding('b', 'ClusterRole/reader', 'User/jane', 'Group/dev'));
  await bed.put('rolebindings', binding('ns/b', 'ClusterRole/reader', 'User/jane'));
  expect(rbac.rulesFor(jane, 'ns').rules).toHaveLength(2);
  expect(rbac.rulesFor(jane, '').rules).toHaveLength(1);
  expect(rbac.rulesFor(user('joe'), 'ns')).toEqual({ rules: [], errors: [] });
});
