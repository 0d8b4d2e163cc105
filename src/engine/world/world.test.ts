import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../api/index.ts';
import { deployment } from '../../../test/kit/objects.ts';
import { emptyWorld } from './world.ts';

const nginx = deployment('nginx');
const key = keyOf(refOf(nginx));

test('a change in a member is not taken for a change on the hub', () => {
  const world = emptyWorld();
  world.write({ verb: 'create', object: nginx });
  world.write({ verb: 'create', object: nginx, at: 'member1' });
  world.write({ verb: 'delete', ref: refOf(nginx), at: 'member1' });
  expect(world.pending.map((change) => change.key)).toEqual([key, `@member1|${key}`, `@member1|${key}`]);
  expect(world.get(key)).toBeDefined();
  expect(world.inMember('member1', key)).toBeUndefined();
});

test('a layer hides what stands below, on the hub and in members, and only there', () => {
  const ground = emptyWorld();
  for (let i = 0; i < 2_001; i++) ground.write({ verb: 'create', object: deployment(`d${i}`) });
  ground.write({ verb: 'create', object: nginx, at: 'member1' });
  ground.pending.length = 0;
  const layer = ground.fork();
  layer.write({ verb: 'delete', ref: refOf(nginx), at: 'member1' });
  layer.write({ verb: 'delete', ref: refOf(deployment('d0')) });
  layer.write({ verb: 'create', object: nginx, at: 'member2' });
  const names = (world: typeof ground): number => [...world.entries()].length;
  expect([names(ground), names(layer)]).toEqual([2_002, 2_001]);
  expect([layer.member('member1', key), typeof layer.member('member2', key)]).toEqual(['absent', 'object']);
  expect(ground.member('member1', key)).toMatchObject({ kind: 'Deployment' });
  expect([...layer.touchedInMembers()]).toEqual([
    ['member1', key],
    ['member2', key],
  ]);
  expect(layer.kinds()).toEqual(new Set(['apps/v1|Deployment']));
});
