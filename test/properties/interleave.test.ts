import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { contentOf, effectOf, evolve, questions, run } from '../../src/engine/index.ts';
import type { ProposedChange, Question, Settling, World } from '../../src/engine/index.ts';
import { events, stories } from '../kit/stories/anything.ts';
import type { Story, Vocabulary } from '../kit/stories/anything.ts';
import { companies } from '../kit/stories/company.ts';
import { edits, firstOf } from '../kit/stories/crowd.ts';
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
function done(world: World, change: ProposedChange, pickIn?: (world: World) => Settling['pick']): World {
  const next = world.fork();
  evolve(next, change);
  const pick = pickIn?.(next);
  run(next, pick ? { pick } : {});
  return next;
}

type Open = readonly [Question, string];
const upstream: ReadonlySet<Question> = new Set(['claim', 'dependencies', 'evict', 'schedule']);

/** Anybody may come first, but what takes something away waits for all that is decided before it. */
const atRandom =
  (random: () => number) =>
  (world: World): Settling['pick'] =>
  (open) => {
    const mustWait = ([question, key]: Open): boolean =>
      question === 'render' && questions.render(world, key)?.actions.some(({ do: what }) => what === 'remove') === true;
    const isEarly = open.some(([question]) => upstream.has(question));
    const ready = open.map((_, i) => i).filter((i) => !isEarly || !mustWait(open[i] as Open));
    return ready[Math.floor(random() * ready.length)] ?? 0;
  };

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
    const world = tell(proposal.story);
    const change = firstOf(proposal.change);
    const usual = seen(world, done(world, change));
    expect(seen(world, done(world, change, atRandom(chance(seed))))).toEqual(usual);
  });
});
