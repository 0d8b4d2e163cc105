import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { contentOf, effectOf, evolve, run } from '../../src/engine/index.ts';
import type { ProposedChange, Settling, World } from '../../src/engine/index.ts';
import { events, stories } from '../kit/stories/anything.ts';
import type { Story, Vocabulary } from '../kit/stories/anything.ts';
import { companies } from '../kit/stories/company.ts';
import { edits } from '../kit/stories/crowd.ts';
import { property } from '../kit/stories/runs.ts';
import { tell } from '../kit/stories/tell.ts';

interface Proposal {
  readonly story: Story;
  readonly change: ProposedChange;
}

/** Numbers from 0 to 1 that look like chance, the same for the same seed. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The world after the change, with controllers that take their turns in this order. */
function done(world: World, change: ProposedChange, settling: Settling): World {
  const next = world.fork();
  evolve(next, change);
  run(next, settling);
  return next;
}

function inMembers(world: World): ReadonlyMap<string, KubeObject> {
  return new Map([...world.entries()].filter(([key]) => key.startsWith('@')));
}

/** What happened in the members, and what stands there after it. */
function seen(before: World, after: World): Record<string, unknown> {
  const [was, is] = [inMembers(before), inMembers(after)];
  const found: Record<string, unknown> = {};
  for (const key of [...new Set([...was.keys(), ...is.keys()])].sort()) {
    const [old, now] = [was.get(key), is.get(key)];
    const effect = effectOf(old, now);
    if (effect) found[key] = { effect, now: now && contentOf(now) };
  }
  return found;
}

const words: Vocabulary = { namespaces: ['a1', 'a2'] };
const anything: fc.Arbitrary<Proposal> = fc.record({
  story: stories(words, 6),
  change: fc.array(events(words), { minLength: 1, maxLength: 2 }).map((all): ProposedChange => ({
    apply: all.flatMap((event) => (event.do === 'apply' ? [event.object] : [])),
    delete: all.flatMap((event) => (event.do === 'delete' ? [event.ref] : [])),
  })),
});

describe.each<readonly [string, fc.Arbitrary<Proposal>]>([
  ['of any world at rest and any change', anything],
  ['of an edited policy, where templates stand alike', edits(words)],
  ['where something happened to one of many that stand alike', companies({})],
])('%s', (_, proposals) => {
  const turns = fc.record({ proposal: proposals, seed: fc.nat() });
  property('members see the same, whichever controller is faster', turns, ({ proposal, seed }) => {
    const { story, change } = proposal;
    const world = tell(story);
    const random = chance(seed);
    const pick = (open: readonly unknown[]): number => Math.floor(random() * open.length);
    expect(seen(world, done(world, change, { pick }))).toEqual(seen(world, done(world, change, {})));
  });
});
