import { beforeEach, describe, expect, it } from 'vitest';
import { binding, role, testbed } from '../../test/kit/auth/objects.ts';
import type { Testbed } from '../../test/kit/auth/objects.ts';
import type { KubeObject, User } from '../api/index.ts';
import { refuseEscalation } from './escalation.ts';
import type { GuardedWrite } from './escalation.ts';
import { openRbac } from './rbac.ts';
import type { Rbac } from './rbac.ts';

const jane: User = { name: 'jane', groups: ['dev', 'system:authenticated'] };
const pods = (...verbs: string[]): object => ({ apiGroups: [''], resources: ['pods'], verbs });
const secrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };
const rbacGroup = 'rbac.authorization.k8s.io';

let bed: Testbed;
let rbac: Rbac;
beforeEach(async () => {
  bed = testbed();
  rbac = openRbac(bed.objects);
  await bed.put('roles', role('ns/own', [pods('get', 'list')]));
  await bed.put('rolebindings', binding('ns/own', 'Role/own', 'User/jane'));
  await bed.put('clusterroles', role('cluster-admin', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]));
});

const write = (object: object, more: Partial<GuardedWrite> = {}): GuardedWrite => {
  const { kind, metadata } = object as KubeObject;
  return {
    operation: 'CREATE',
    kind: { group: rbacGroup, plural: `${kind.toLowerCase()}s` },
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    object: object as KubeObject,
    user: jane,
    ...more,
  };
};
const attempt = (object: object, more: Partial<GuardedWrite> = {}): string => {
  try {
    refuseEscalation(rbac, write(object, more));
    return 'ok';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('roles', () => {
  it.each<readonly [string, object, RegExp]>([
    ['what she has', role('ns/r', [pods('get')]), /^ok$/],
    ['nothing', role('ns/r', []), /^ok$/],
    ['a verb that she lacks', role('ns/r', [pods('get', 'delete')]), /not currently held/],
    ['every verb', role('ns/r', [pods('*')]), /not currently held/],
    ['a resource that she lacks', role('ns/r', [secrets]), /not currently held/],
    ['the same in another namespace', role('other/r', [pods('get')]), /not currently held/],
    ['the same in the whole cluster', role('r', [pods('get')]), /not currently held/],
    ['a URL', role('r', [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]), /not currently held/],
  ])('%s', (_, object, message) => expect(attempt(object)).toMatch(message));

  it('says what is missing, in the words of Kubernetes', () => {
    expect(attempt(role('ns/r', [pods('get', 'delete', 'patch'), secrets]))).toBe(
      'roles.rbac.authorization.k8s.io "r" is forbidden: user "jane" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete" "patch"]}\n' +
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
    );
  });

  it('an update counts with all that the role then grants, an update of owners alone does not', () => {
    const old = role('ns/r', [secrets]) as KubeObject;
    const update = { operation: 'UPDATE', old } as const;
    expect(attempt({ ...role('ns/r', [secrets, pods('get')]) }, update)).toMatch(/secrets/);
    const owned = { ...old, metadata: { ...old.metadata, finalizers: ['x'], resourceVersion: '9' } };
    expect(attempt(owned, update)).toBe('ok');
    const labelled = { ...old, metadata: { ...old.metadata, labels: { x: 'y' } } };
    expect(attempt(labelled, update)).toMatch(/secrets/);
  });

  it('the right to escalate opens it, by name for updates only', async () => {
    const escalate = { apiGroups: [rbacGroup], resources: ['roles'], verbs: ['escalate'], resourceNames: ['r'] };
    await bed.put('roles', role('ns/own', [escalate]));
    const old = role('ns/r', []) as KubeObject;
    expect(attempt(role('ns/r', [secrets]), { operation: 'UPDATE', old })).toBe('ok');
    expect(attempt(role('ns/r', [secrets]))).toMatch(/not currently held/);
    expect(attempt(role('ns/s', [secrets]), { operation: 'UPDATE', old: role('ns/s', []) as KubeObject })).toMatch(
      /not currently held/,
    );
    expect(attempt(role('r', [secrets]), { operation: 'UPDATE', old })).toMatch(/not currently held/);
  });

  it('an aggregation needs everything', async () => {
    const gather = { ...role('g', []), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } };
    expect(attempt(gather)).toBe(
      'clusterroles.rbac.authorization.k8s.io "g" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    );
    expect(attempt(role('g', []), { operation: 'UPDATE', old: gather as unknown as KubeObject })).toMatch(
      /cluster-admin privileges/,
    );
    await bed.put(
      'clusterroles',
      role('all', [
        { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
        { nonResourceURLs: ['*'], verbs: ['*'] },
      ]),
    );
    await bed.put('clusterrolebindings', binding('all', 'ClusterRole/all', 'Group/dev'));
    expect(attempt(gather)).toBe('ok');
  });
});

describe('bindings', () => {
  it.each<readonly [string, object, RegExp]>([
    ['of her own role', binding('ns/b', 'Role/own', 'User/joe'), /^ok$/],
    [
      'of cluster-admin',
      binding('ns/b', 'ClusterRole/cluster-admin', 'User/jane'),
      /rolebindings.*"b" is forbidden.*not currently held/s,
    ],
    [
      'of cluster-admin everywhere',
      binding('b', 'ClusterRole/cluster-admin', 'User/jane'),
      /clusterrolebindings.*not currently held/s,
    ],
    [
      'of a role that does not exist yet',
      binding('ns/b', 'Role/later', 'User/jane'),
      /roles.rbac.authorization.k8s.io "later" not found/,
    ],
    ['of a Role in the whole cluster', binding('b', 'Role/cluster-admin', 'User/jane'), /not found/],
    ['without subjects', binding('ns/b', 'ClusterRole/cluster-admin'), /not currently held/],
  ])('%s', (_, object, message) => expect(attempt(object)).toMatch(message));

  it('a binding to a role of an unknown kind passes, because it grants nothing', async () => {
    const odd = binding('ns/b', 'clusterrole/cluster-admin', 'User/jane');
    expect(attempt(odd)).toBe('ok');
    await bed.put('rolebindings', odd);
    const wants = { verb: 'get', group: '', resource: 'secrets', subresource: '', namespace: 'ns', name: 'x' };
    expect(rbac.decide(jane, wants).allowed).toBe(false);
  });

  it('an update is as good as a creation', () => {
    const old = binding('ns/b', 'ClusterRole/cluster-admin', 'User/joe') as KubeObject;
    const more = binding('ns/b', 'ClusterRole/cluster-admin', 'User/joe', 'User/jane');
    expect(attempt(more, { operation: 'UPDATE', old })).toMatch(/not currently held/);
  });

  it('the right to bind opens it, for that role and there', async () => {
    const bind = {
      apiGroups: [rbacGroup],
      resources: ['clusterroles'],
      verbs: ['bind'],
      resourceNames: ['cluster-admin'],
    };
    await bed.put('roles', role('ns/own', [bind]));
    await bed.put('clusterroles', role('other', [secrets]));
    expect(attempt(binding('ns/b', 'ClusterRole/cluster-admin', 'User/jane'))).toBe('ok');
    expect(attempt(binding('ns/b', 'ClusterRole/other', 'User/jane'))).toMatch(/not currently held/);
    expect(attempt(binding('b', 'ClusterRole/cluster-admin', 'User/jane'))).toMatch(/not currently held/);
    expect(attempt(binding('other/b', 'ClusterRole/cluster-admin', 'User/jane'))).toMatch(/not currently held/);
  });
});

it('masters, other groups of APIs and deletions are not its business', () => {
  const root: User = { name: 'root', groups: ['system:masters'] };
  expect(attempt(binding('b', 'ClusterRole/cluster-admin', 'User/x'), { user: root })).toBe('ok');
  expect(attempt(role('r', [secrets]), { kind: { group: 'example.com', plural: 'clusterroles' } })).toBe('ok');
  const { object: _, ...deletion } = write(role('r', [secrets]), { operation: 'DELETE' });
  expect(() => refuseEscalation(rbac, deletion)).not.toThrow();
});
