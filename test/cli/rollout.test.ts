import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { KubeObject, Policy, Ref, RolloutPolicy } from '../../src/api/index.ts';
import { clusterRole, configMap, configMaps, policy, rollout } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

const names = ['a', 'b', 'c', 'd'];
const lazy = (to: string, more = {}): Policy =>
  policy('calm', { to, lazy: true, select: names.map((name) => configMaps({ name })), ...more });

let system: System;
beforeAll(async () => {
  system = await openSystem();
}, 60_000);
afterAll(() => system.close());
afterEach(async () => {
  for (const name of names) await gone({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name });
  for (const scope of ['namespace', 'cluster'] as const) await gone(calm(scope));
  await system.settle();
});

const calm = (scope: 'namespace' | 'cluster'): Ref => refOf(policy('calm', { scope }));

async function gone(ref: Ref): Promise<void> {
  if (await system.user.find(ref)) await system.user.delete(ref);
}

async function standsIn(member: string): Promise<readonly string[]> {
  const { items } = await system
    .member(member)
    .listAll({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'default' });
  return items.map(({ metadata }) => metadata.name).filter((name) => names.includes(name));
}

async function policyNow(scope: 'namespace' | 'cluster' = 'namespace'): Promise<Policy> {
  return system.user.get<Policy>(calm(scope));
}

async function pending(): Promise<void> {
  await system.apply(lazy('member1'), ...names.map((name) => configMap(name)));
  await system.apply(lazy('member2'));
  expect(await standsIn('member1')).toEqual(names);
}

test('a policy is suspended and resumed, member by member', async () => {
  await system.apply(lazy('member1'), configMap('a'));
  expect(await system.run(['suspend', 'policy/calm', '--clusters', 'member2,member1'])).toEqual({
    code: 0,
    out: 'PropagationPolicy/default/calm is suspended on member1, member2\n',
    err: '',
  });
  expect((await policyNow()).spec.suspension).toEqual({
    suspendDispatchingOnClusters: { clusterNames: ['member1', 'member2'] },
  });
  const less = await system.run(['resume', 'policy/calm', '--clusters', 'member1']);
  expect(less.out).toBe('PropagationPolicy/default/calm is resumed; suspended on member2\n');
  expect((await system.run(['suspend', 'policy/calm'])).out).toBe(
    'PropagationPolicy/default/calm is suspended on all members\n',
  );
  expect((await policyNow()).spec.suspension).toEqual({ suspendDispatching: true });
  expect((await system.run(['resume', 'policy/calm', '--clusters', 'member3'])).out).toContain(
    'suspended on member1, member2\n',
  );
  expect((await system.run(['resume', 'policy/calm'])).out).toBe(
    'PropagationPolicy/default/calm is resumed; suspended nowhere\n',
  );
  expect((await policyNow()).spec.suspension).toBeUndefined();
});

test('a RolloutPolicy named after a single object suspends it, and is deleted when it resumes', async () => {
  await system.apply(lazy('member1'), configMap('a'), configMap('b'));
  const { code, out, err } = await system.run([
    'suspend',
    'cm/a',
    '--reason',
    'a freeze',
    '--until',
    '2099-01-01T00:00:00Z',
  ]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toBe(
    'ConfigMap/default/a is suspended on all members by RolloutPolicy/default/configmap-a until 2099-01-01T00:00:00Z\n',
  );
  await system.apply(configMap('a', { value: 'new' }), configMap('b', { value: 'new' }));
  const value = async (name: string): Promise<unknown> => {
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name };
    return (await system.member('member1').get<KubeObject & { data: { value: string } }>(ref)).data.value;
  };
  expect([await value('a'), await value('b')]).toEqual(['one', 'new']);
  const status = await system.run(['status', 'cm/a']);
  expect(status.out).toContain(
    'by RolloutPolicy/default/configmap-a of kubernetes-admin until 2099-01-01T00:00:00Z: a freeze',
  );
  const plan = await system.run(['plan', '--delete', 'rolloutpolicy/configmap-a', '-o', 'json']);
  expect(JSON.parse(plan.out)).toMatchObject({
    effects: [{ template: { name: 'a' }, cluster: 'member1', effect: 'update', when: 'now' }],
  });

  expect((await system.run(['resume', 'cm/a'])).out).toBe('ConfigMap/default/a is resumed; suspended nowhere\n');
  await system.settle();
  expect(await value('a')).toBe('new');
  const ref = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'RolloutPolicy',
    namespace: 'default',
    name: 'configmap-a',
  };
  expect(await system.user.find<RolloutPolicy>(ref)).toBeUndefined();
});

test.each([
  ['namespace', 'PropagationPolicy/default/calm', 'RolloutPolicy/default/propagationpolicy-calm'],
  ['cluster', 'ClusterPropagationPolicy/calm', 'ClusterRolloutPolicy/clusterpropagationpolicy-calm'],
] as const)(
  'a policy of a %s is suspended with a reason where one is given; elsewhere its own suspension stays',
  async (scope, subject, by) => {
    await system.apply(lazy('member1', { scope }), configMap('a'), configMap('b'));
    await system.run(['suspend', 'policy/calm', '-C', 'member2']);
    const until = ['--until', '2099-01-01T00:00:00Z'];
    const done = await system.run([
      'suspend',
      'policy/calm',
      '-C',
      'member1',
      '--reason',
      'audit',
      '--owner',
      'ann',
      ...until,
    ]);
    expect(done).toEqual({
      code: 0,
      out: `${subject} is suspended on member1 by ${by} until 2099-01-01T00:00:00Z, on member2 by itself\n`,
      err: '',
    });
    expect((await policyNow(scope)).spec.suspension).toEqual({
      suspendDispatchingOnClusters: { clusterNames: ['member2'] },
    });
    await system.apply(configMap('a', { value: 'new' }), configMap('c', { value: 'new' }));
    expect(await standsIn('member1')).toEqual(['a', 'b']);
    const status = await system.run(['status', 'cm/c']);
    const words = `by ${by} of ann until 2099-01-01T00:00:00Z: audit`;
    expect(status.out).toContain(words);
    expect((await system.run(['describe', 'policy/calm'])).out).toContain(`3 templates ${words}\n`);
    const plan = await system.run([
      'plan',
      '-f',
      await system.file('b.json', configMap('b', { value: 'two' })),
      '-o',
      'json',
    ]);
    expect(JSON.parse(plan.out)).toMatchObject({ effects: [{ effect: 'update', when: 'suspended' }] });
    expect(JSON.parse((await system.run(['explain', 'cm/a', '-o', 'json'])).out)).toMatchObject({
      suspended: [
        { cluster: 'member1', by, owner: 'ann', reason: 'audit' },
        { cluster: 'member2', by: subject },
      ],
    });
    expect((await system.run(['resume', 'policy/calm', '-C', 'member1'])).out).toBe(
      `${subject} is resumed; suspended on member2\n`,
    );
    await system.settle();
    expect(await standsIn('member1')).toEqual(['a', 'b', 'c']);
    expect((await system.run(['resume', 'policy/calm'])).out).toContain('is resumed; suspended nowhere\n');
    expect((await system.run(['resume', 'policy/calm'])).out).toMatch(/calm was not suspended\n$/);
  },
);

test('a policy that is suspended on all members gets its reason on all members, or it would stay suspended after the end', async () => {
  await system.apply(lazy('member1'), configMap('a'));
  await system.run(['suspend', 'policy/calm']);
  const some = await system.run(['suspend', 'policy/calm', '-C', 'member3', '--until', '2h']);
  expect(some.out).toMatch(/is suspended on member3 by \S+ until \S+Z, on member1, member2 by itself\n$/);
  const all = await system.run(['suspend', 'policy/calm', '--until', '3h']);
  expect(all.out).toMatch(/is suspended on all members by \S+ until \S+Z\n$/);
  expect((await policyNow()).spec.suspension).toBeUndefined();
  expect((await system.run(['resume', 'policy/calm'])).code).toBe(0);
});

test('no suspension of an object ends sooner because it is suspended on another member, too', async () => {
  await system.apply(lazy('member1'), configMap('a'));
  const suspend = async (member: string, ...words: readonly string[]) =>
    system.run(['suspend', 'cm/a', '-C', member, ...words]);
  const later = '2099-01-01T00:00:00Z';
  await suspend('member1', '--until', later);
  const sooner = await suspend('member2', '--until', '2h');
  expect(sooner).toMatchObject({
    code: 0,
    out: `ConfigMap/default/a is suspended on member1, member2 by RolloutPolicy/default/configmap-a until ${later}\n`,
    err: 'note: on member1 it is suspended already, with another end: the later end counts for the whole suspension\n',
  });
  expect((await suspend('member1,member2', '--reason', 'audit')).out).toContain(` until ${later}\n`);
  expect((await suspend('member3')).out).toMatch(/configmap-a\n$/);
  expect((await suspend('member1,member2,member3', '--until', '2h')).err).toBe('');
  await system.run(['resume', 'cm/a']);
});

test('a suspension that has ended does not come back with the next one', async () => {
  await system.apply(lazy('member1'), configMap('a'));
  await system.run(['suspend', 'cm/a', '-C', 'member3', '--until', '1s']);
  await system.until('it is over', async () => !(await system.run(['explain', 'cm/a'])).out.includes('SUSPENDED ON'));
  expect((await system.run(['suspend', 'cm/a', '-C', 'member1'])).out).toBe(
    'ConfigMap/default/a is suspended on member1 by RolloutPolicy/default/configmap-a\n',
  );
  await system.run(['resume', 'cm/a']);
});

test('a cluster policy is suspended in all namespaces, with its own templates only', async () => {
  const role = clusterRole('reader');
  const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const [near, far] = [configMap('a'), configMap('a', { namespace: 'shop' })];
  const roles = { apiVersion: role.apiVersion, kind: role.kind, name: 'reader' };
  const wide = policy('calm', { scope: 'cluster', to: 'member1', select: [configMaps({ name: 'a' }), roles] });
  const other = policy('other', { to: 'member1', select: [configMaps({ name: 'b' })] });
  await system.apply(namespace, wide, other, near, far, role, configMap('b'));
  await system.run(['suspend', 'cpp/calm', '--reason', 'audit', '--until', '2099-01-01T00:00:00Z']);
  await system.settle();
  const state = async (...object: readonly string[]): Promise<unknown> =>
    (JSON.parse((await system.run(['status', ...object, '-o', 'json'])).out) as { state: string }).state;
  const all = async (): Promise<readonly unknown[]> => [
    await state('cm/a'),
    await state('cm/a', '-n', 'shop'),
    await state('clusterrole/reader'),
    await state('cm/b'),
  ];
  expect(await all()).toEqual(['suspended', 'suspended', 'suspended', 'inEffect']);
  const golden = async (name: string, ...args: readonly string[]): Promise<void> =>
    expect((await system.run(args)).out).toMatchFileSnapshot(`../golden/cli/${name}.txt`);
  await golden('status-suspended-cluster', 'status', 'policy/calm');
  await golden('explain-suspended-cluster', 'explain', 'clusterrole/reader');
  expect((await system.run(['resume', 'cpp/calm'])).code).toBe(0);
  await system.settle();
  expect(await all()).toEqual(['inEffect', 'inEffect', 'inEffect', 'inEffect']);
  for (const object of [other, far, role]) await gone(refOf(object));
});

test.each([
  ['reader', 'clusterrole-reader'],
  ['team:Reader', expect.stringMatching(/^clusterrole-team-reader-[a-z0-9]+$/)],
])('a cluster-scoped object is suspended by itself: the ClusterRole %s', async (name, rollout) => {
  const role = clusterRole(name);
  const roles = { apiVersion: role.apiVersion, kind: role.kind, name };
  await system.apply(policy('calm', { scope: 'cluster', to: 'member1', select: [roles] }), role);
  const subject = await system.run(['suspend', `clusterrole/${name}`, '--reason', 'a freeze', '-o', 'json']);
  expect(subject.err).toBe('');
  expect(JSON.parse(subject.out)).toMatchObject({
    kind: 'ClusterRolloutPolicy',
    metadata: { name: rollout },
    spec: { resourceSelectors: [roles], suspension: { suspendDispatching: true }, reason: 'a freeze' },
  });
  await system.settle();
  expect((await system.run(['status', `clusterrole/${name}`])).out).toMatch(
    /by ClusterRolloutPolicy\/\S+ of \S+: a freeze/,
  );
  expect((await system.run(['resume', `clusterrole/${name}`])).out).toBe(
    `ClusterRole/${name} is resumed; suspended nowhere\n`,
  );
  const { items } = await system.user.listAll({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterRolloutPolicy',
  });
  expect(items).toEqual([]);
  await gone(refOf(role));
});

test('a namespace that every member gets is suspended, and status says by whom', async () => {
  const yard: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'yard' } };
  await system.apply(yard);
  const status = async (): Promise<string> => (await system.run(['status', 'ns/yard'])).out;
  expect(await status()).toContain('Namespace/yard, managed by no policy: in effect\n');
  await system.run(['suspend', 'ns/yard', '-C', 'member2', '--reason', 'audit', '--owner', 'ann']);
  await system.settle();
  expect(await status()).toMatch(
    /member1 +in effect .*\nmember2 +suspended .* by ClusterRolloutPolicy\/namespace-yard of ann: audit\n/,
  );
  expect((await system.run(['status'])).out).toMatch(
    /\nNamespace\/yard +- +suspended +member1,member2(,member3)? +- +member2: by ClusterRolloutPolicy\/namespace-yard of ann: audit\n/,
  );
  expect((await system.run(['explain', 'ns/yard'])).out).toMatch(/member2 +ClusterRolloutPolicy\/namespace-yard +ann/);
  await system.run(['resume', 'ns/yard']);
  await system.settle();
  expect(await status()).not.toContain('suspended');
  expect((await system.run(['status'])).out).not.toContain('yard');
  await gone(refOf(yard));
});

test('the definition of a kind is planned, explained and suspended like any template', async () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Thing', plural: 'things' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  } as KubeObject;
  const { apiVersion, kind } = definition;
  const wide = policy('calm', {
    scope: 'cluster',
    to: 'member1',
    select: [{ apiVersion, kind, name: 'things.example.com' }],
  });
  await system.apply(definition);
  const plan = await system.run(['plan', '-f', await system.file('wide.json', wide), '-o', 'json']);
  expect(JSON.parse(plan.out)).toMatchObject({
    effects: [{ template: { kind }, cluster: 'member1', effect: 'create' }],
  });
  await system.apply(wide);
  await system.run(['suspend', 'crd/things.example.com']);
  await system.settle();
  for (const command of ['status', 'explain'])
    expect((await system.run([command, 'crd/things.example.com'])).out).toContain(
      'ClusterRolloutPolicy/customresourcedefinition-things.example.com',
    );
  await system.run(['resume', 'crd/things.example.com']);
  await gone(refOf(definition));
});

test('a ClusterRolloutPolicy itself is suspended and resumed, with words', async () => {
  const suspension = rollout('freeze', undefined, { scope: 'cluster', resourceSelectors: [configMaps({ name: 'a' })] });
  await system.apply(suspension);
  expect((await system.run(['suspend', 'crop/freeze', '-C', 'member1', '--reason', 'audit'])).out).toBe(
    'ClusterRolloutPolicy/freeze is suspended on member1\n',
  );
  expect((await system.user.get<RolloutPolicy>(refOf(suspension))).spec).toMatchObject({
    reason: 'audit',
    suspension: { suspendDispatchingOnClusters: { clusterNames: ['member1'] } },
  });
  expect((await system.run(['resume', 'crop/freeze'])).out).toContain('is resumed; suspended nowhere\n');
  await gone(refOf(suspension));
});

test.each([
  [['suspend', 'policy/nobody'], 'there is no policy nobody', 1],
  [['suspend', 'cm/nobody'], 'there is no ConfigMap/default/nobody', 1],
  [['suspend', 'clusterrole/nobody'], 'there is no ClusterRole/nobody', 1],
  [['suspend', 'cluster/member1'], 'Cluster/member1 is not a kind that is propagated', 1],
  [['resume', 'clusterrole/view'], 'is not suspended by ClusterRolloutPolicy/clusterrole-view', 1],
  [
    ['suspend', 'cm/kube-root-ca.crt', '--clusters', 'membr1'],
    'there is no member membr1; there are member1, member2, member3',
    1,
  ],
  [['suspend', 'cm/kube-root-ca.crt', '--until', 'soon'], '--until', 2],
  [['resume', 'cm/kube-root-ca.crt'], 'is not suspended by RolloutPolicy/default/configmap-kube-root-ca.crt', 1],
  [['reconcile'], 'name what to reconcile', 2],
  [['reconcile', 'cm/nobody', '--yes'], 'there is no ConfigMap/default/nobody', 1],
  [['reconcile', 'pp/nobody', '--yes'], 'there is no PropagationPolicy/default/nobody', 1],
  [['reconcile', 'all', '-l', 'a=b=c'], '-l:', 2],
])('%j says what is wrong', async (args, message, exit) => {
  const { code, out, err } = await system.run(args);
  expect(err).toContain(message);
  expect([code, out]).toEqual([exit, '']);
});

test('pending changes are activated in batches, after the plan was shown', async () => {
  await pending();
  const { code, out, err } = await system.run(['reconcile', '--policy', 'calm', '--batch', '3', '--yes', '--wait']);
  expect([code, err]).toEqual([0, '']);
  await expect(out).toMatchFileSnapshot('../golden/cli/reconcile.txt');
  await system.settle();
  expect([await standsIn('member1'), await standsIn('member2')]).toEqual([[], names]);
  expect((await system.run(['reconcile', '--policy', 'calm', '--yes'])).out).toBe('nothing is pending\n');
});

test('a selector by claim chooses, and without a yes nothing happens', async () => {
  await pending();
  const args = ['reconcile', 'all', '-l', 'propagationpolicy.karmada.io/name=calm'];
  expect(await system.run(args)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') as string });
  expect(await system.run(args, { answer: 'n' })).toMatchObject({ code: 1 });
  await system.settle();
  expect(await standsIn('member1')).toEqual(names);
  const { code, err } = await system.run([...args, '--wait'], { answer: 'y' });
  expect([code, err]).toEqual([0, 'Apply pending changes to 4 workloads? [y/N] ']);
  expect(await standsIn('member2')).toEqual(names);
});

test('the prompt names the batches, --details lists every effect, and --dry-run writes nothing', async () => {
  await pending();
  const args = ['reconcile', '--policy', 'calm', '--batch', '50%', '--details'];
  const { code, out, err } = await system.run(args, { answer: 'n' });
  expect([code, err]).toEqual([
    1,
    'Apply pending changes to 4 workloads in 2 batches? [y/N] sluice: nothing was changed\n',
  ]);
  expect(out).toMatch(/^ConfigMap\/a +default +member1 +delete +now, after healthy +ActivatedOnRequest /m);
  const tried = await system.run([...args, '--dry-run']);
  expect([tried.code, tried.err, tried.out]).toEqual([0, '', out]);
  await system.settle();
  expect(await standsIn('member1')).toEqual(names);
});

test('one object of many', async () => {
  await pending();
  await system.run(['reconcile', 'cm/b', '--yes', '--wait']);
  expect(await standsIn('member2')).toEqual(['b']);
});

test('a policy that is named as an object stands for all its templates', async () => {
  await pending();
  const { code, err } = await system.run(['reconcile', 'propagationpolicy/calm', '--yes', '--wait']);
  expect([code, err]).toEqual([0, '']);
  expect(await standsIn('member2')).toEqual(names);
});

test('a batch that fails stops it, in the words of the member, and the next run goes on', async () => {
  await pending();
  const member2 = system.members[1];
  await member2?.setFaults({ refuse: [{ kind: 'ConfigMap', code: 422 }] });
  const args = ['reconcile', '--policy', 'calm', '--batch', '50%', '--yes', '--wait'];
  const first = await system.run(args);
  expect(first.code).toBe(1);
  expect(first.err).toMatch(
    /ConfigMap\/default\/[ab] failed: member2: .*; stopped with 0 of 4 in effect: fix the error/,
  );
  await system.settle();
  // The copies that nothing replaces stay where they were.
  expect(await standsIn('member1')).toEqual(names);
  // Running it again loses no second batch to the same trouble.
  const again = await system.run([...args, '--wait-timeout', '1s']);
  expect([again.code, again.out]).toEqual([1, expect.stringContaining('2 templates of an earlier run on the way\n')]);
  expect(again.err).toMatch(
    /ConfigMap\/default\/[ab] failed: member2: .*; stopped with 0 of 4 in effect: fix the error/,
  );
  await system.settle();
  expect(await standsIn('member1')).toEqual(names);
  await member2?.reset();
  const second = await system.run(args);
  expect([second.code, second.err]).toEqual([0, '']);
  await system.until('all have moved', async () => (await standsIn('member2')).length === names.length);
});

test('an interruption leaves the rest as it was', async () => {
  await pending();
  const stop = new AbortController();
  stop.abort();
  const { code, err } = await system.run(['reconcile', '--policy', 'calm', '--yes'], { interrupted: stop.signal });
  expect([code, err]).toEqual([1, expect.stringContaining('interrupted: 0 of 4')]);
  await system.settle();
  expect(await standsIn('member1')).toEqual(names);
});
