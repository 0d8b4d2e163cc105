/** An old copy stays although its member answers no longer and has not got the last edit. */
import { expect, test } from 'vitest';
import { keyOf, refOf } from '../../src/api/index.ts';
import { run } from '../../src/engine/index.ts';
import type { World } from '../../src/engine/index.ts';
import { deployment, policy } from '../kit/objects.ts';
import { simulated, withReady } from '../kit/readiness.ts';
import { happen, stageFor } from '../kit/stories/event.ts';
import type { Event } from '../kit/stories/event.ts';

const web = (image: string) => deployment('web', { replicas: 2, image, outcome: 'NeverReady' });
const key = keyOf(refOf(web('')));

/** The workload runs on member1 and is ready there. */
function running(): World {
  const world = stageFor({});
  tell(world, { do: 'apply', object: policy('pp', { to: 'member1' }) }, { do: 'apply', object: web('x:1') });
  const copy = world.inMember('member1', key);
  if (!copy) throw new Error('the workload did not reach member1');
  world.write({ verb: 'updateStatus', object: withReady(copy, 2), at: 'member1' });
  run(world, { members: simulated });
  return world;
}

function tell(world: World, ...events: readonly Event[]): void {
  events.forEach((event, i) => {
    happen(world, event, i);
    run(world, { members: simulated });
  });
}

test.each(['member2', 'member9'])(
  'an edit that has not arrived does not end the copy when the policy names %s',
  (to) => {
    const world = running();
    tell(
      world,
      { do: 'reach', member: 'member1', up: false },
      { do: 'apply', object: web('x:2') },
      { do: 'apply', object: policy('pp', { to }) },
      { do: 'reach', member: 'member1', up: true },
    );
    expect(world.inMember('member1', key)).toMatchObject({ status: { readyReplicas: 2 } });
  },
);

test('a copy that never arrived is not waited for', () => {
  const world = stageFor({});
  tell(
    world,
    { do: 'reach', member: 'member1', up: false },
    { do: 'apply', object: policy('pp', { to: 'member1' }) },
    { do: 'apply', object: web('x:1') },
    { do: 'apply', object: policy('pp', { to: 'member2' }) },
    { do: 'reach', member: 'member1', up: true },
  );
  expect(world.inMember('member1', key)).toBe(undefined);
  expect(world.inMember('member2', key)).toBeDefined();
});
