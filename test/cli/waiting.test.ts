/** Waiting commands end in time, and leave nothing half done when their time is over. */
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { Cluster, KubeObject, RolloutPolicy } from '../../src/api/index.ts';
import { writeKubeconfig } from '../../src/auth/index.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'] });
}, 60_000);
afterAll(() => system.close());

const clusterRef = (name: string) => ({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name });
const settingsRef = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'settings' };

async function newcomer(name: string): Promise<SimulatedMember> {
  const member = await startSimulated({ name, dataDir: ':memory:', delayMilliseconds: 0, pods: false });
  await writeKubeconfig(path.join(system.folder, `${name}.yaml`), [member.context()]);
  return member;
}

test('a member that is gone for good is let go by force, and only by force', async () => {
  const lost = await newcomer('lost');
  await system.run(['join', 'lost', '--cluster-kubeconfig', 'lost.yaml']);
  await system.apply(policy('maps', { to: 'lost', select: [configMaps({ name: 'settings' })] }), configMap('settings'));
  expect((await system.run(['get', 'cm', 'settings', '-o', 'name'])).out).toBe('lost/configmaps/settings\n');
  await lost.close();

  const unjoin = ['unjoin', 'lost', '--timeout', '2s', '--yes'];
  const asked = await system.run([...unjoin, '--wait-timeout', '1s']);
  expect(asked.code).toBe(1);
  expect(asked.err).toMatch(/^sluice: lost is not removed in time: .*; wait, or run it again with --force\n$/);
  expect((await system.user.get<Cluster>(clusterRef('lost'))).metadata.deletionTimestamp).toBeDefined();

  const forced = await system.run([...unjoin, '--wait-timeout', '1s', '--force']);
  expect(forced).toEqual({
    code: 0,
    out: 'cluster lost is unjoined, by force: its objects stay there\n',
    err: '',
  });
  expect(await system.user.find(clusterRef('lost'))).toBeUndefined();
  const secret = { apiVersion: 'v1', kind: 'Secret', namespace: 'karmada-cluster', name: 'lost' };
  expect(await system.user.find(secret)).toBeUndefined();
  await system.until('no Work is left for it', async () => {
    const { items } = await system.user.listAll(
      { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' },
      { namespace: 'karmada-es-lost' },
    );
    return items.length === 0;
  });
  await system.user.delete(settingsRef);
  await system.settle();
}, 60_000);

test('a member that does not become ready in time stays registered, and a second run goes on', async () => {
  const slow = await newcomer('slow');
  try {
    const join = ['join', 'slow', '--cluster-kubeconfig', 'slow.yaml'];
    await slow.setFaults({ latencyMilliseconds: 300 });
    const first = await system.run([...join, '--wait-timeout', '1ms']);
    await slow.reset();
    expect(first.code).toBe(1);
    expect(first.err).toMatch(/^sluice: slow is registered, but not ready in time: .*; run it again to wait on, or /);
    expect(await system.run(join)).toMatchObject({ code: 0, out: 'cluster slow is joined and ready\n' });
    expect(await system.run(['unjoin', 'slow', '--yes'])).toMatchObject({ code: 0 });
  } finally {
    await slow.close();
  }
});

test('a batch that does not arrive in time stops it, and the next run goes on', async () => {
  const lazy = (to: string): KubeObject =>
    policy('calm', { to, lazy: true, select: [configMaps({ name: 'a' }), configMaps({ name: 'b' })] });
  await system.apply(lazy('member1'), configMap('a'), configMap('b'));
  await system.apply(lazy('member2'));
  await system.members[1]?.setFaults({ latencyMilliseconds: 3000 });
  const args = ['reconcile', '--policy', 'calm', '--batch', '1', '--wait', '--yes'];
  const late = await system.run([...args, '--wait-timeout', '500ms']);
  expect(late.code).toBe(1);
  expect(late.err).toMatch(
    /^sluice: ConfigMap\/default\/a did not arrive in time \(.*\); stopped with 0 of 2 in effect: fix the error, then run the command again\n$/,
  );
  await system.members[1]?.reset();
  const { code, err } = await system.run(args);
  expect([code, err]).toEqual([0, '']);
  expect((await system.run(['get', 'cm', 'a', '-o', 'name'])).out).toBe('member2/configmaps/a\n');
}, 60_000);

test('a change on its way to a member that has fallen silent is not called in effect', async () => {
  const web = (image: string): KubeObject => deployment('web', { image });
  await system.apply(policy('web', { to: 'member2', select: [deployments({ name: 'web' })] }), web('nginx:1'));
  await system.untilHealthy(web('nginx:1'), 'member2');
  const status = async (): Promise<string> => (await system.run(['status', 'deploy/web'])).out;
  expect(await status()).toMatch(/^member2 +in effect /m);
  await system.members[1]?.setFaults({ partition: true });
  const ref = refOf(web(''));
  await system.user.patch(ref, [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:2' }], {
    type: 'json',
  });
  await system.until('it is said to be on its way', async () =>
    /^member2 +progressing .* is on its way since \d{4}-/m.test(await status()),
  );
  await system.members[1]?.reset();
  await system.until('it is in effect', async () => /^member2 +in effect /m.test(await status()));
  await system.user.delete(ref);
  await system.settle();
});

test('a suspension whose time comes while no controller runs ends when one does, and an event says so, once', async () => {
  await system.apply(policy('late', { to: 'member1', select: [configMaps({ name: 'menu' })] }), configMap('menu'));
  const { code } = await system.run(['suspend', 'cm/menu', '--until', '4s']);
  expect(code).toBe(0);
  await system.apply(configMap('menu', { value: 'two' }));
  const ref = { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'RolloutPolicy', namespace: 'default' };
  const { spec } = await system.user.get<RolloutPolicy>({ ...ref, name: 'configmap-menu' });
  const told = async (): Promise<string> => (await system.run(['describe', 'rolloutpolicy/configmap-menu'])).out;
  expect(await told()).not.toContain('SuspensionOver');
  await system.unseen(() => system.until('its time is over', async () => Date.now() >= Date.parse(spec.until ?? '')));
  await system.until('an event tells', async () =>
    /Normal +\d+s +SuspensionOver +the suspension ended at /.test(await told()),
  );
  expect((await system.run(['status', 'cm/menu'])).out).toContain(': in effect\n');
  await system.unseen(async () => {});
  await system.settle();
  expect(await told()).toMatch(/Normal +\d+s +SuspensionOver/);
  for (const object of [policy('late'), configMap('menu')]) await system.user.delete(refOf(object));
  await system.user.delete({ ...ref, name: 'configmap-menu' });
  await system.settle();
}, 60_000);

test.each([
  ['namespace', 'cm/menu', 'RolloutPolicy/default/configmap-menu'],
  ['cluster', 'cpp/now', 'ClusterRolloutPolicy/clusterpropagationpolicy-now'],
] as const)(
  'a suspension of a %s ends at its time: pending changes are sent, and an event says so',
  async (scope, what, by) => {
    const now = policy('now', { scope, to: 'member1', select: [configMaps({ name: 'menu' })] });
    await system.apply(now, configMap('menu'));
    const suspended = await system.run(['suspend', what, '--reason', 'lunch', '--until', '8s']);
    expect(suspended.code).toBe(0);
    await system.apply(configMap('menu', { value: 'two' }));
    const value = async (): Promise<unknown> =>
      (await system.member('member1').get<KubeObject & { data: { value: string } }>({ ...settingsRef, name: 'menu' }))
        .data.value;
    expect(await value()).toBe('one');
    expect((await system.run(['status', 'cm/menu'])).out).toMatch(new RegExp(`by ${by} of \\S+ until \\S+: lunch`));
    await system.until('the suspension is over', async () => (await value()) === 'two');
    await system.until('an event tells', async () => {
      const { out } = await system.run(['describe', by.replace('/default/', '/')]);
      return /SuspensionOver/.test(out);
    });
    expect((await system.run(['status', 'cm/menu'])).out).toContain(': in effect\n');
    for (const object of [now, configMap('menu')]) await system.user.delete(refOf(object));
    await system.settle();
  },
  60_000,
);
