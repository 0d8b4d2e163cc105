import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { binding, role, testbed } from '../../test/kit/auth/objects.ts';
import type { Testbed } from '../../test/kit/auth/objects.ts';
import { crds } from '../api/index.ts';
import type { KubeObject, User } from '../api/index.ts';
import { startAggregation } from './aggregate.ts';
import { ensureDefaults } from './bootstrap.ts';
import type { ClusterRole } from './bootstrap.ts';
import { openRbac, rbacResources } from './rbac.ts';
import type { Rbac } from './rbac.ts';
import { rulesOf } from './rule.ts';
import type { Waking } from './waking.ts';

let bed: Testbed;
let rbac: Rbac;
let aggregation: Waking;
const errors: unknown[] = [];
beforeEach(() => {
  bed = testbed();
  rbac = openRbac(bed.objects);
  aggregation = startAggregation(bed.objects, bed.writer, (error) => errors.push(error));
});
afterEach(() => {
  aggregation.stop();
  expect(errors).toEqual([]);
});

const start = async (): Promise<void> => {
  await ensureDefaults(bed.objects, bed.writer);
  await aggregation.settled();
};
const clusterRole = (name: string): ClusterRole => bed.objects.get(rbacResources.clusterRoles, '', name) as ClusterRole;
const of = (name: string): User => ({ name, groups: ['system:authenticated'] });

const may = (who: User, verb: string, what: string, namespace = 'ns'): boolean => {
  const [group = '', resource = '', subresource = ''] = what.split('/');
  return rbac.decide(who, { verb, group, resource, subresource, namespace, name: 'x' }).allowed;
};

const things = (verb: string): object => ({ apiGroups: ['example.com'], resources: ['things'], verbs: [verb] });
const toView = 'rbac.authorization.k8s.io/aggregate-to-view=true';
const verbs = (name: string): string[] =>
  rulesOf(clusterRole(name).rules)
    .filter((rule) => rule.resources.includes('things'))
    .flatMap((rule) => rule.verbs);

describe('the default roles', () => {
  beforeEach(async () => {
    await start();
    for (const name of ['admin', 'edit', 'view'])
      await bed.put('rolebindings', binding(`ns/${name}`, `ClusterRole/${name}`, `User/${name}`));
  });

  const table: readonly [verb: string, what: string, who: string][] = [
    ['get', '/pods', 'admin edit view'],
    ['get', '/pods/log', 'admin edit view'],
    ['create', '/pods/exec', 'admin edit'],
    ['get', '/secrets', 'admin edit'],
    ['delete', '/secrets', 'admin edit'],
    ['patch', 'apps/deployments', 'admin edit'],
    ['patch', 'apps/deployments/scale', 'admin edit'],
    ['watch', 'apps/deployments/status', 'admin edit view'],
    ['update', 'apps/deployments/status', ''],
    ['create', '/serviceaccounts/token', 'admin edit'],
    ['create', 'rbac.authorization.k8s.io/rolebindings', 'admin'],
    ['get', 'rbac.authorization.k8s.io/roles', 'admin'],
    ['create', 'rbac.authorization.k8s.io/clusterroles', ''],
    ['escalate', 'rbac.authorization.k8s.io/roles', ''],
    ['bind', 'rbac.authorization.k8s.io/roles', ''],
    ['impersonate', '/users', ''],
    ['update', '/resourcequotas', ''],
    ['list', '/resourcequotas', 'admin edit view'],
    ['create', 'policy.karmada.io/propagationpolicies', 'admin edit'],
    ['list', 'policy.karmada.io/propagationpolicies', 'admin edit view'],
    ['deletecollection', 'policy.karmada.io/overridepolicies', 'admin edit'],
    ['patch', 'policy.karmada.io/rolloutpolicies', 'admin edit'],
    ['patch', 'policy.karmada.io/clusterrolloutpolicies', ''],
    ['list', 'policy.karmada.io/clusterpropagationpolicies', ''],
    ['create', 'policy.karmada.io/federatedresourcequotas', ''],
    ['get', 'work.karmada.io/resourcebindings', ''],
    ['get', 'work.karmada.io/resourcebindings/status', ''],
    ['list', 'work.karmada.io/works', ''],
    ['propagate', '/secrets', ''],
    ['patch', 'work.karmada.io/resourcebindings', ''],
    ['get', 'cluster.karmada.io/clusters', ''],
  ];
  it.each(table)('%s %s: %s', (verb, what, who) => {
    expect(['admin', 'edit', 'view'].filter((name) => may(of(name), verb, what)).join(' ')).toBe(who);
    expect(['admin', 'edit', 'view'].filter((name) => may(of(name), verb, what, 'other'))).toEqual([]);
  });

  it('let a viewer of the hub list every kind of ours but Works', async () => {
    await bed.put('clusterrolebindings', binding('viewer', 'ClusterRole/sluice-viewer', 'User/viewer'));
    const kinds = crds().map(({ spec }) => `${spec.group}/${spec.names.plural}`);
    expect(kinds.filter((kind) => !may(of('viewer'), 'list', kind))).toEqual(['work.karmada.io/works']);
  });

  it('let everybody ask who they are and what they may, and find their way', () => {
    const review = { verb: 'create', subresource: '', namespace: '', name: '' };
    const self = { ...review, group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' };
    const other = { ...review, group: 'authorization.k8s.io', resource: 'subjectaccessreviews' };
    expect(rbac.decide(of('x'), self).allowed).toBe(true);
    expect(rbac.decide(of('x'), other).allowed).toBe(false);
    for (const path of ['/api', '/apis/apps/v1', '/openapi/v3', '/version'])
      expect(rbac.decide(of('x'), { verb: 'get', path }).allowed, path).toBe(true);
    expect(rbac.decide(of('x'), { verb: 'get', path: '/metrics' }).allowed).toBe(false);
    expect(rbac.decide({ name: 'm', groups: ['system:monitoring'] }, { verb: 'get', path: '/metrics' }).allowed).toBe(
      true,
    );
    const nobody: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
    expect(rbac.decide(nobody, { verb: 'get', path: '/livez' }).allowed).toBe(true);
    expect(rbac.decide(nobody, { verb: 'get', path: '/api' }).allowed).toBe(false);
  });
});

describe('a later start', () => {
  it('changes nothing when nothing is missing', async () => {
    await start();
    const { revision } = bed.store;
    await start();
    expect(bed.store.revision).toBe(revision);
  });

  it('puts back what is missing and keeps what was added', async () => {
    await start();
    const mine = { apiGroups: ['example.com'], resources: ['things'], verbs: ['get'] };
    const present = clusterRole('system:basic-user');
    await bed.put('clusterroles', { ...present, rules: [mine, ...(present.rules?.slice(1) ?? [])] });
    const bound = bed.objects.get(rbacResources.clusterRoleBindings, '', 'system:discovery') as KubeObject;
    await bed.put('clusterrolebindings', { ...bound, subjects: [{ kind: 'User', name: 'joe' }] });
    await bed.remove('clusterroles', '', 'system:monitoring');
    await start();
    const rules = rulesOf(clusterRole('system:basic-user').rules);
    expect(rules.some((rule) => rule.resources.includes('things'))).toBe(true);
    expect(rules.flatMap((rule) => rule.resources).sort()).toEqual(
      ['selfsubjectaccessreviews', 'selfsubjectreviews', 'selfsubjectrulesreviews', 'things'].sort(),
    );
    expect(clusterRole('system:monitoring')).toBeDefined();
    const again = bed.objects.get(rbacResources.clusterRoleBindings, '', 'system:discovery') as KubeObject & {
      subjects: unknown[];
    };
    expect(again.subjects).toHaveLength(2);
  });

  it('takes the right to Works out of the role of an earlier release', async () => {
    await start();
    const old = {
      apiGroups: ['work.karmada.io'],
      resources: ['resourcebindings', 'works'],
      verbs: ['get', 'list', 'watch'],
    };
    const { rules = [], ...aggregated } = clusterRole('sluice:aggregate-to-view');
    await bed.put('clusterroles', { ...aggregated, rules: [...rules, old, things('get')] });
    await start();
    expect(JSON.stringify(clusterRole('view').rules)).not.toContain('work.karmada.io');
    expect(verbs('sluice:aggregate-to-view')).toEqual(['get']);
  });

  it('leaves alone what says so', async () => {
    await start();
    const present = clusterRole('system:basic-user');
    const metadata = { ...present.metadata, annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } };
    await bed.put('clusterroles', { ...present, metadata, rules: [] });
    await start();
    expect(clusterRole('system:basic-user').rules).toEqual([]);
  });
});

describe('aggregation', () => {
  it('follows roles as they come, change and go, through every level', async () => {
    await start();
    await bed.put('clusterroles', role('things-view', [things('get')], toView));
    await aggregation.settled();
    expect(['view', 'edit', 'admin'].map(verbs)).toEqual([['get'], ['get'], ['get']]);
    await bed.put('clusterroles', role('things-view', [things('list')], toView));
    await aggregation.settled();
    expect(['view', 'edit', 'admin'].map(verbs)).toEqual([['list'], ['list'], ['list']]);
    await bed.put('clusterroles', role('things-view', [things('list')]));
    await aggregation.settled();
    expect(['view', 'edit', 'admin'].map(verbs)).toEqual([[], [], []]);
  });

  it('takes back what was written into an aggregated role', async () => {
    await start();
    const { rules } = clusterRole('view');
    await bed.put('clusterroles', { ...clusterRole('view'), rules: [...(rules ?? []), things('*')] });
    await aggregation.settled();
    expect(clusterRole('view').rules).toEqual(rules);
  });

  it('never takes a role into itself, and takes equal rules once', async () => {
    const selects = {
      clusterRoleSelectors: [{ matchLabels: { a: 'b' } }, { matchExpressions: [{ key: 'c', operator: 'Exists' }] }],
    };
    await bed.put('clusterroles', { ...role('all', [things('old')], 'a=b'), aggregationRule: selects });
    await bed.put('clusterroles', role('one', [things('get'), things('list')], 'a=b', 'c=d'));
    await bed.put('clusterroles', role('two', [things('get')], 'c=d'));
    await aggregation.settled();
    expect(verbs('all')).toEqual(['get', 'list']);
  });
});
