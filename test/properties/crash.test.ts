import * as fc from 'fast-check';
import { expect } from 'vitest';
import { run, World } from '../../src/engine/index.ts';
import { stories } from '../kit/stories/anything.ts';
import type { Story } from '../kit/stories/anything.ts';
import { happen, stageFor } from '../kit/stories/event.ts';
import { pictureOf } from '../kit/stories/picture.ts';
import { property } from '../kit/stories/runs.ts';
import { forget, settleAs } from '../kit/stories/tell.ts';

class Crash extends Error {}

/**
 * Lets the process die before the write of this number. The API server (which collects objects of a deleted owner) and
 * the members are not part of the process and go on.
 */
function dieBefore(world: World, number: number): { writes: number } {
  const count = { writes: 0 };
  let nested = false;
  world.write = (write) => {
    const own = !nested && !(write.at !== undefined && write.verb === 'updateStatus');
    if (own && count.writes++ === number) throw new Crash();
    const outer = nested;
    nested = true;
    World.prototype.write.call(world, write);
    nested = outer;
  };
  return count;
}

function settleThrough(world: World, how: 'settle' | 'restart'): void {
  try {
    settleAs(world, how);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    forget(world);
    run(world, { restart: true });
  }
}

/** Tells a story in which the process dies before the write of the given number; returns how many writes it made. */
function tellWithCrash(story: Story, number: number): { readonly world: World; readonly writes: number } {
  const world = stageFor(story.gates, story.large);
  let writes = 0;
  story.steps.forEach(({ event, pause }, i) => {
    happen(world, event, i);
    if (pause === 'goOn' && i < story.steps.length - 1) return;
    const count = dieBefore(world, number - writes);
    settleThrough(world, pause === 'restart' ? 'restart' : 'settle');
    writes += count.writes;
    Reflect.deleteProperty(world, 'write');
  });
  return { world, writes };
}

property(
  'a crash before any one write changes nothing of the end',
  fc.record({ story: stories({ overrides: true }), when: fc.nat() }),
  ({ story, when }) => {
    const undisturbed = tellWithCrash(story, -1);
    if (undisturbed.writes === 0) return;
    const { world } = tellWithCrash(story, when % undisturbed.writes);
    expect(pictureOf(world)).toEqual(pictureOf(undisturbed.world));
  },
);
