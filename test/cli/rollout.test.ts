import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { KubeObject, Policy, RolloutPolicy } from '../../src/api/index.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
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
  await gone({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    namespace: 'default',
    name: 'calm',
  });
  await system.settle();
});

async function gone(ref: { apiVersion: string; kind: string; namespace: string; name: string }): Promise<void> {
  if (await system.user.find(ref)) await system.user.delete(ref);
}

async function standsIn(member: string): Promise<readonly string[]> {
  const { items } = await system
    .member(member)
    .listAll({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'default' });
  return items.map(({ metadata }) => metadata.name).filter((name) => names.includes(name));
}

async function policyNow(): Promise<Policy> {
  return system.user.get<Policy>({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    namespace: 'default',
    name: 'calm',
  });
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

test('a single object is held by a RolloutPolicy named after it, which goes when it resumes', async () => {
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

test('a policy is held with a reason, an owner and an end; what it held before goes along', async () => {
  await system.apply(lazy('member1'), configMap('a'), configMap('b'));
  await system.run(['suspend', 'policy/calm', '-C', 'member2']);
  const until = ['--until', '2099-01-01T00:00:00Z'];
  const held = await system.run([
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
  expect(held).toEqual({
    code: 0,
    out: 'PropagationPolicy/default/calm is suspended on member1, member2 by RolloutPolicy/default/propagationpolicy-calm until 2099-01-01T00:00:00Z\n',
    err: '',
  });
  expect((await policyNow()).spec.suspension).toBeUndefined();
  await system.apply(configMap('a', { value: 'new' }), configMap('c', { value: 'new' }));
  expect(await standsIn('member1')).toEqual(['a', 'b']);
  const status = await system.run(['status', 'cm/c']);
  const words = 'by RolloutPolicy/default/propagationpolicy-calm of ann until 2099-01-01T00:00:00Z: audit';
  expect(status.out).toContain(words);
  expect(JSON.parse((await system.run(['explain', 'cm/a', '-o', 'json'])).out)).toMatchObject({
    held: [{ cluster: 'member1', owner: 'ann', reason: 'audit' }, { cluster: 'member2' }],
  });
  expect((await system.run(['resume', 'policy/calm', '-C', 'member1'])).out).toBe(
    'PropagationPolicy/default/calm is resumed; suspended on member2\n',
  );
  await system.settle();
  expect(await standsIn('member1')).toEqual(['a', 'b', 'c']);
  expect((await system.run(['resume', 'policy/calm'])).out).toContain('is resumed; suspended nowhere\n');
  expect((await system.run(['resume', 'policy/calm'])).out).toContain('was not suspended there');
});

test('a hold whose time is over does not come back with the next one', async () => {
  await system.apply(lazy('member1'), configMap('a'));
  await system.run(['suspend', 'cm/a', '-C', 'member3', '--until', '1s']);
  await system.until('it is over', async () => !(await system.run(['explain', 'cm/a'])).out.includes('HELD ON'));
  expect((await system.run(['suspend', 'cm/a', '-C', 'member1'])).out).toBe(
    'ConfigMap/default/a is suspended on member1 by RolloutPolicy/default/configmap-a\n',
  );
  await system.run(['resume', 'cm/a']);
});

test('what lies in all namespaces has no place for a reason', async () => {
  const wide = policy('wide', { scope: 'cluster', to: 'member1', select: [configMaps({ name: 'none' })] });
  await system.apply(wide);
  const { code, err } = await system.run(['suspend', 'policy/wide', '--reason', 'audit']);
  expect([code, err]).toEqual([2, expect.stringContaining('suspend ClusterPropagationPolicy/wide without them')]);
});

test.each([
  [['suspend', 'policy/nobody'], 'there is no policy nobody', 1],
  [['suspend', 'cm/nobody'], 'there is no ConfigMap/default/nobody', 1],
  [['suspend', 'ns/default'], 'suspend its policy instead', 1],
  [
    ['suspend', 'cm/kube-root-ca.crt', '--clusters', 'membr1'],
    'there is no member membr1; there are member1, member2, member3',
    1,
  ],
  [['suspend', 'cm/kube-root-ca.crt', '--until', 'soon'], '--until', 2],
  [['resume', 'cm/kube-root-ca.crt'], 'is not suspended by RolloutPolicy/default/configmap-kube-root-ca.crt', 1],
  [['reconcile'], 'say what to reconcile', 2],
  [['reconcile', 'cm/nobody', '--yes'], 'there is no ConfigMap/default/nobody', 1],
  [['reconcile', 'pp/nobody', '--yes'], 'there is no PropagationPolicy/default/nobody', 1],
  [['reconcile', 'all', '-l', 'a=b=c'], '-l:', 2],
])('%j says what is wrong', async (args, message, exit) => {
  const { code, out, err } = await system.run(args);
  expect(err).toContain(message);
  expect([code, out]).toEqual([exit, '']);
});

test('what is pending is taken up in batches, after the plan was shown', async () => {
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
  expect([code, err]).toEqual([0, 'let 4 templates take up what is pending? [y/N] ']);
  expect(await standsIn('member2')).toEqual(names);
});

test('one object of many', async () => {
  await pending();
  await system.run(['reconcile', 'cm/b', '--yes', '--wait']);
  expect(await standsIn('member2')).toEqual(['b']);
});

test('a policy that is named as an object stands for all that it holds', async () => {
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
  expect(first.err).toMatch(/ConfigMap\/default\/[ab] failed: member2: .*; stopped with 0 of 4 in effect: mend it/);
  await system.settle();
  expect(await standsIn('member1')).toEqual(['c', 'd']);
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
