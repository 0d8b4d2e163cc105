/** `sluice reconcile` that is run again does not spread the damage of the run before. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { KubeObject, Work } from '../../src/api/index.ts';
import { deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

let system: System;
beforeAll(async () => {
  system = await openSystem({ members: ['member1', 'member2'], pods: true });
});
afterAll(() => system.close());

const names = ['a', 'b', 'c'];
const apps = names.map((name) => deployment(name));
const calm = (to: string): KubeObject => policy('calm', { to, lazy: true, select: [deployments()] });
const args = ['reconcile', '--policy', 'calm', '--batch', '1', '--yes', '--wait'];

/** Pods find a place in member2, or none. */
async function openNodes(open: boolean): Promise<void> {
  const member = system.member('member2');
  const { items } = await member.listAll({ apiVersion: 'v1', kind: 'Node' });
  for (const node of items) await member.patch(refOf(node), { spec: { unschedulable: !open } }, { type: 'merge' });
}

async function inMember2(): Promise<readonly string[]> {
  const { items } = await system.member('member2').listAll({ apiVersion: 'apps/v1', kind: 'Deployment' });
  return items.map(({ metadata }) => metadata.name).sort();
}

async function isUnhealthy(name: string): Promise<boolean> {
  const { items } = await system.user.listAll<Work>({ apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' });
  return items.some(
    ({ metadata, status }) =>
      metadata.namespace === 'karmada-es-member2' &&
      metadata.name.startsWith(`${name}-`) &&
      status?.manifestStatuses?.[0]?.health === 'Unhealthy',
  );
}

/** Three workloads run on member1, their lazy policy asks for member2, and no pod finds a place there. */
beforeEach(async () => {
  await openNodes(true);
  for (const app of apps) if (await system.user.find(refOf(app))) await system.delete(refOf(app));
  await system.apply(calm('member1'), ...apps);
  for (const app of apps) await system.untilHealthy(app, 'member1');
  await openNodes(false);
  await system.apply(calm('member2'));
});

test('it refuses while a workload of the run before is unhealthy, names it, and goes on when that is healthy', async () => {
  const first = await system.run([...args, '--wait-timeout', '1s']);
  expect(first.code).toBe(1);
  await system.until('a is unhealthy', () => isUnhealthy('a'));

  for (const flags of [args, args.filter((flag) => flag !== '--wait'), ['reconcile', 'deployment/c', '--yes']]) {
    const { code, out, err } = await system.run([...flags, '--wait-timeout', '1s']);
    expect(code).toBe(1);
    expect(err + out).toContain('Deployment/default/a');
  }
  await system.settle();
  expect(await inMember2()).toEqual(['a']);

  await openNodes(true);
  await system.untilHealthy(deployment('a'), 'member2');
  const last = await system.run(args);
  expect([last.code, last.err]).toEqual([0, '']);
  expect(await inMember2()).toEqual(names);
}, 120_000);

test('with --skip-unhealthy it goes on', async () => {
  await system.run([...args, '--wait-timeout', '1s']);
  await system.until('a is unhealthy', () => isUnhealthy('a'));
  await system.run([...args, '--skip-unhealthy', '--wait-timeout', '1s']);
  await system.settle();
  expect(await inMember2()).toEqual(['a', 'b']);
}, 120_000);

test('a newer edit of the policy may be taken up by the workload that the edit before broke', async () => {
  await system.run([...args, '--wait-timeout', '1s']);
  await system.until('a is unhealthy', () => isUnhealthy('a'));
  await system.apply(calm('member1'));
  const { code, err } = await system.run(['reconcile', 'deployment/a', '--yes', '--wait']);
  expect([code, err]).toEqual([0, '']);
  await system.settle();
  expect(await inMember2()).toEqual([]);
}, 120_000);
