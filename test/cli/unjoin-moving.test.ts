/** A member is unjoined while a workload moves from it, or to it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { Plan } from '../../src/engine/index.ts';
import { deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';
import type { System } from './kit.ts';

/** It is healthy only where somebody says so. */
const web = deployment('web', { outcome: 'NeverReady' });
const placed = (to: string) => policy('web', { to, select: [deployments({ name: 'web' })] });

let system: System;
beforeEach(async () => {
  system = await openSystem();
  await system.apply(placed('member1'), web);
  await system.apply(placed('member2'));
  expect(await members()).toEqual(['member1', 'member2']);
}, 60_000);
afterEach(() => system.close());

async function members(): Promise<readonly string[]> {
  const found = await Promise.all(
    ['member1', 'member2', 'member3'].map(async (name) => ((await system.member(name).find(refOf(web))) ? [name] : [])),
  );
  return found.flat();
}

/** `delete now` for each effect of unjoining a member on the workload there. */
async function planned(member: string): Promise<readonly string[]> {
  const { out } = await system.run(['plan', '--delete', `cluster/${member}`, '-o', 'json']);
  const { effects } = JSON.parse(out) as Plan;
  return effects.map(({ cluster, effect, when }) => `${cluster} ${effect} ${when}`);
}

test('unjoining the member that a workload leaves deletes the old copy at once, as planned, and the move ends', async () => {
  expect(await planned('member1')).toEqual(['member1 delete now']);
  expect(await system.run(['unjoin', 'member1', '--yes'])).toMatchObject({ code: 0 });
  await system.settle();
  expect(await members()).toEqual(['member2']);
  expect((await system.run(['status', 'deploy/web'])).out).not.toContain('moving');
}, 60_000);

test('unjoining the member that a workload moves to keeps the old copy, as planned, until another member has it', async () => {
  expect(await planned('member2')).toEqual(['member2 delete now']);
  expect(await system.run(['unjoin', 'member2', '--yes'])).toMatchObject({ code: 0 });
  await system.settle();
  expect(await members()).toEqual(['member1']);
  await system.apply(placed('member3'));
  expect(await members()).toEqual(['member1', 'member3']);
  expect((await system.run(['status', 'deploy/web'])).out).toContain('member1 kept');
}, 60_000);
