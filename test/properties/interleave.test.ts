import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evolve, questions, run } from '../../src/engine/index.ts';
import type { ProposedChange, Question, Settling, World } from '../../src/engine/index.ts';
import { atRest } from '../kit/worlds.ts';
import { configMap, deployment, policy } from '../kit/objects.ts';
import type { PolicyWords } from '../kit/objects.ts';
import type { Vocabulary } from '../kit/stories/anything.ts';
import { companies } from '../kit/stories/dependency-stories.ts';
import { edits } from '../kit/stories/policy-edits.ts';
import { firstOf, proposals, seen } from '../kit/stories/proposal.ts';
import type { Proposal } from '../kit/stories/proposal.ts';
import { property } from '../kit/stories/runs.ts';
import { tell } from '../kit/stories/tell.ts';

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

const words: Vocabulary = { namespaces: ['a1', 'a2'] };

describe.each<readonly [string, fc.Arbitrary<Proposal>]>([
  ['of any world at rest and any change', proposals(words)],
  ['of an edited policy, where templates stand alike', edits(words)],
  ['where something happened to one of many that stand alike', companies({})],
])('%s', (_, proposed) => {
  const turns = fc.record({ proposal: proposed, seed: fc.nat() });
  property('members see the same, whichever controller is faster', turns, ({ proposal, seed }) => {
    const world = tell(proposal.story);
    const change = firstOf(proposal.change);
    const usual = seen(world, done(world, change));
    expect(seen(world, done(world, change, atRandom(chance(seed))))).toEqual(usual);
  });
});

/** A copy in a member that is left shows most: it is kept there, and not written any more. */
const both: PolicyWords = { to: ['member1', 'member2'], propagateDeps: true, preserveResourcesOnDeletion: true };
const one: PolicyWords = { ...both, to: 'member1' };

describe('after a move with dependencies members see the same, whatever the order of the controllers', () => {
  test.each<readonly [string, PolicyWords, PolicyWords]>([
    ['when they were suspended before they were sent', { ...both, to: 'member2', suspend: { dispatching: true } }, one],
    ['when they become dependencies', { ...both, propagateDeps: false }, one],
    ['when they become dependencies elsewhere', { ...both, to: 'member2', propagateDeps: false }, one],
    ['when they are no longer preserved', both, { ...one, preserveResourcesOnDeletion: false }],
    ['when they are preserved from now on', { ...both, preserveResourcesOnDeletion: false }, one],
  ])('%s', (_, before, after) => {
    const web = deployment('web', { configMaps: ['settings'] });
    const world = atRest({}, configMap('settings'), web, policy('pp', before));
    const change = { apply: [policy('pp', after)] };
    const usual = seen(world, done(world, change));
    for (let seed = 0; seed < 20; seed++) {
      expect(seen(world, done(world, change, atRandom(chance(seed))))).toEqual(usual);
    }
  });
});
