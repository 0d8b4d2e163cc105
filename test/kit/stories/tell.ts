import { run } from '../../../src/engine/index.ts';
import type { Settling, World } from '../../../src/engine/index.ts';
import type { Story } from './anything.ts';
import { happen, stageFor } from './event.ts';
import type { Event } from './event.ts';

/** Sees the world before and after each stretch of events, once it has come to rest. */
export type Witness = (before: World, after: World, events: readonly Event[]) => void;

/** A restarted process has seen no event and has set no alarm; members go on with what they were told. */
export function forget(world: World): void {
  const theirs = world.pending.filter((change) => change.at !== undefined);
  world.pending.length = 0;
  world.pending.push(...theirs);
  world.alarms.clear();
}

/** Brings a world to rest, as a process does that has gone on or one that was started anew. */
export function settleAs(world: World, how: 'settle' | 'restart', settling: Settling = {}): void {
  if (how === 'restart') forget(world);
  run(world, { ...settling, restart: how === 'restart' });
}

/** Tells a story to its end; the world is at rest then. */
export function tell(story: Story, witness?: Witness): World {
  const world = stageFor(story.gates, story.large);
  let before = witness && world.fork();
  let events: Event[] = [];
  const steps = story.steps.length;
  story.steps.forEach(({ event, pause }, i) => {
    happen(world, event, i);
    events.push(event);
    if (pause === 'goOn' && i < steps - 1) return;
    settleAs(world, pause === 'restart' ? 'restart' : 'settle');
    if (!witness || !before) return;
    witness(before, world, events);
    before = world.fork();
    events = [];
  });
  return world;
}
