/** A plan while a member is down names what happens when it is back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { Binding } from '../../src/api/index.ts';
import type { Plan, TemplateReport } from '../../src/engine/index.ts';
import { configMap, configMaps, deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
beforeAll(async () => {
  system = await openSystem({ watchful: true });
});
afterAll(() => system.close());

/** Placed also while the member is not ready. */
const tolerant = {
  clusterAffinity: { clusterNames: ['member2'] },
  clusterTolerations: [{ operator: 'Exists' as const }],
};
const both = { to: ['member1', 'member2'] };

/** `member2 delete unreachable` for each effect of a plan, and its exit code. */
async function planned(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly effects: readonly string[] }> {
  const { code, out, err } = await system.run(['plan', ...args, '-o', 'json']);
  if (out === '') throw new Error(err);
  const { effects } = JSON.parse(out) as Plan;
  return { code, effects: effects.map(({ cluster, effect, when }) => `${cluster} ${effect} ${when}`) };
}

test('deleting a template names the copy in a member that is down, and it goes when the member is back', async () => {
  const app = deployment('app1');
  await system.apply(policy('apps', { ...both, select: [deployments({ name: 'app1' })] }), app);
  await system.reach('member2', false);

  const args = ['--delete', 'deployment/app1'];
  expect(await planned(...args)).toEqual({ code: 3, effects: ['member1 delete now', 'member2 delete unreachable'] });
  const { code, out } = await system.run(['plan', ...args]);
  expect(code).toBe(3);
  expect(out).toMatch(/^delete +when member2 is back +1 +default +member2 .* ClusterNotReady$/m);
  expect(out).toMatch(/^would restart 0, move 0, delete 1; 1 when member2 is back$/m);

  await system.delete(refOf(app));
  await system.reach('member2', true);
  await system.until('the copy is gone', async () => (await system.member('member2').find(refOf(app))) === undefined);
}, 60_000);

test('a plan knows the copy of a template that was edited while its member was down', async () => {
  const settings = configMap('settings');
  await system.apply(policy('small', { ...both, select: [configMaps({ name: 'settings' })] }), settings);
  await system.reach('member2', false);
  await system.apply(configMap('settings', { value: 'two' }));

  expect(await planned('--delete', 'cm/settings')).toEqual({
    code: 3,
    effects: ['member1 delete now', 'member2 delete unreachable'],
  });
  await system.delete(refOf(settings));
  await system.reach('member2', true);
  await system.until('it is gone', async () => (await system.member('member2').find(refOf(settings))) === undefined);
}, 60_000);

test('a template that never arrived in a member that is down is not named there', async () => {
  await system.apply(policy('late', { placement: tolerant, select: [configMaps({ name: 'late' })] }));
  await system.reach('member2', false);
  await system.apply(configMap('late'));
  expect(await planned('--delete', 'cm/late')).toEqual({ code: 0, effects: [] });
  await system.delete(refOf(configMap('late')));
  await system.reach('member2', true);
}, 60_000);

test('a policy edit that moves a template off a member that is down says when the old copy goes', async () => {
  const menu = configMap('menu');
  await system.apply(policy('menus', { to: 'member2', select: [configMaps({ name: 'menu' })] }), menu);
  await system.reach('member2', false);
  const file = await system.file(
    'move.yaml',
    policy('menus', { to: 'member3', select: [configMaps({ name: 'menu' })] }),
  );
  expect(await planned('-f', file)).toEqual({ code: 3, effects: ['member3 create now', 'member2 delete unreachable'] });

  const suspended = await system.file(
    'suspended.yaml',
    policy('menus', { to: 'member3', suspend: { suspendDispatching: true }, select: [configMaps({ name: 'menu' })] }),
  );
  expect(await planned('-f', suspended)).toEqual({
    code: 0,
    effects: ['member2 delete suspended', 'member3 create suspended'],
  });
  const lazy = await system.file(
    'lazy.yaml',
    policy('menus', { to: 'member3', lazy: true, select: [configMaps({ name: 'menu' })] }),
  );
  expect(await planned('-f', lazy)).toEqual({
    code: 0,
    effects: ['member2 delete pending', 'member3 create pending'],
  });
  await system.reach('member2', true);
}, 60_000);

test('the binding of a template says that its member is not ready, as status does, until the member is back', async () => {
  const rota = configMap('rota');
  await system.apply(policy('rotas', { ...both, select: [configMaps({ name: 'rota' })] }), rota);
  const state = async () => {
    const name = { apiVersion: 'work.karmada.io/v1alpha2', namespace: 'default', name: 'rota-configmap' };
    const binding = await system.user.get<Binding>({ ...name, kind: 'ResourceBinding' });
    return binding.status?.conditions?.find(({ type }) => type === 'InEffect');
  };
  expect(await state()).toMatchObject({ status: 'True', reason: 'InEffect', message: 'delivered and healthy' });
  await system.reach('member2', false);
  const { out } = await system.run(['status', 'cm/rota', '-o', 'json']);
  const report = JSON.parse(out) as TemplateReport;
  expect(report.state).toBe('progressing');
  const message = `member2: ${report.clusters[1]?.message}`;
  expect(await state()).toMatchObject({ status: 'False', reason: 'Progressing', message });
  await system.reach('member2', true);
  await system.until('it is in effect', async () => (await state())?.reason === 'InEffect');
}, 60_000);

test('unjoining a member that is down says what stays in it, before and after, and it stays', async () => {
  const notes = configMap('notes');
  await system.apply(policy('notes', { ...both, select: [configMaps({ name: 'notes' })] }), notes);
  await system.reach('member2', false);

  const stays = /^warning: Cluster\/member2: \d+ objects? stays? in member2, which is not ready, and nothing manages/m;
  expect((await system.run(['plan', '--delete', 'cluster/member2'])).out).toMatch(stays);
  const dry = await system.run(['unjoin', 'member2', '--dry-run']);
  expect(dry.out).toMatch(stays);
  expect(dry.out).not.toContain('removed');

  expect(await system.run(['unjoin', 'member2', '--yes', '--timeout', '2s'])).toMatchObject({
    code: 0,
    out: 'cluster member2 is unjoined, while it was not ready: its objects stay there\n',
  });
  await system.members[1]?.reset();
  expect(await system.member('member2').find(refOf(notes))).toBeDefined();
}, 60_000);
