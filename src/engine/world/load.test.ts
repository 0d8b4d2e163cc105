import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { deployment, memberCluster, policy } from '../../../test/kit/objects.ts';
import { evolve, plan } from '../plan/index.ts';
import { worldOf } from './load.ts';
import { emptyWorld } from './world.ts';
import { run } from './settle.ts';

/** A settled world and the same taken apart, as a hub would give it away. */
function foundState(): { readonly objects: KubeObject[]; readonly members: { member: string; object: KubeObject }[] } {
  const world = emptyWorld();
  const fleet = [memberCluster('member1'), memberCluster('member2')];
  evolve(world, { apply: [...fleet, policy('pp', { to: 'member1' }), deployment('nginx')] });
  run(world);
  const objects: KubeObject[] = [];
  const members: { member: string; object: KubeObject }[] = [];
  for (const [key, object] of world.entries()) {
    if (key.startsWith('@')) members.push({ member: key.slice(1, key.indexOf('|')), object });
    else objects.push(object);
  }
  return { objects, members };
}

test('a found state keeps its revisions and identities', () => {
  const { objects, members } = foundState();
  const world = worldOf({ objects, members, now: '2026-01-01T00:00:00Z' });
  for (const object of objects) expect(world.get(keyOf(refOf(object)))).toEqual(object);
  expect(world.member('member1', keyOf(refOf(deployment('nginx'))))).toMatchObject({ kind: 'Deployment' });
});

test('a settled state stays settled when every question is asked', () => {
  const world = worldOf({ ...foundState(), now: '2026-01-01T00:00:00Z' });
  const next = world.fork();
  run(next, { restart: true });
  expect([...next.entries()]).toEqual([...world.entries()]);
});

test('new writes come after everything found', () => {
  const { objects, members } = foundState();
  const world = worldOf({ objects, members, now: '2026-01-01T00:00:00Z' });
  world.write({ verb: 'create', object: deployment('late') });
  const late = world.get(keyOf(refOf(deployment('late'))));
  const newest = Math.max(...objects.map(({ metadata }) => Number(metadata.resourceVersion)));
  expect(Number(late?.metadata.resourceVersion)).toBeGreaterThan(newest);
});

test('a plan on a found state sees the move', () => {
  const world = worldOf({ ...foundState(), now: '2026-01-01T00:00:00Z' });
  const { totals } = plan(world, { apply: [policy('pp', { to: 'member2' })] });
  expect(totals).toMatchObject({ create: 1, delete: 1, moved: 1 });
});
