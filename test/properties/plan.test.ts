import { describe, expect } from 'vitest';
import { keyOf, reconcileAnnotation } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { evolve, isPropagated, plan, run } from '../../src/engine/index.ts';
import type { Effect, ProposedChange, When, World } from '../../src/engine/index.ts';
import type { Vocabulary } from '../kit/stories/anything.ts';
import { companies } from '../kit/stories/dependency-stories.ts';
import { edits } from '../kit/stories/policy-edits.ts';
import { reach } from '../kit/stories/event.ts';
import { proposals, seen } from '../kit/stories/proposal.ts';
import type { Seen } from '../kit/stories/proposal.ts';
import { property } from '../kit/stories/runs.ts';
import { tell } from '../kit/stories/tell.ts';

function said(effects: readonly Effect[], when: When): readonly string[] {
  return effects
    .filter((effect) => effect.when === when)
    .map(({ cluster, template, effect }) => `@${cluster}|${keyOf(template)} ${effect}`)
    .sort();
}

function lines(found: ReadonlyMap<string, Seen>): readonly string[] {
  return [...found].map(([key, { effect }]) => `${key} ${effect}`).sort();
}

/** The world after the change, done in earnest. */
function done(world: World, change: ProposedChange): World {
  const next = world.fork();
  evolve(next, change);
  run(next);
  return next;
}

/** Everybody is asked to take up what is pending; those for whom nothing is must not move. */
function askedAll(world: World): World {
  const next = world.fork();
  for (const [key, object] of world.entries()) {
    if (key.startsWith('@') || !isPropagated(object)) continue;
    const annotations = { ...object.metadata.annotations, [reconcileAnnotation]: 'everybody' };
    next.write({ verb: 'update', object: { ...object, metadata: { ...object.metadata, annotations } } });
  }
  run(next);
  return next;
}

/** Every suspension is taken off by its owner. */
function released(world: World): World {
  const next = world.fork();
  for (const [key, object] of world.entries()) {
    if (key.startsWith('@')) continue;
    const { spec } = object as KubeObject & { readonly spec?: { readonly suspension?: unknown } };
    if (!spec?.suspension || object.kind === 'Work') continue;
    const { suspension: _, ...rest } = spec;
    next.write({ verb: 'update', object: { ...object, spec: rest } as KubeObject });
  }
  run(next);
  return next;
}

/** Effects of a later step now that did not exist before the change. */
function added(now: ReadonlyMap<string, Seen>, before: ReadonlyMap<string, Seen>): readonly string[] {
  const fresh = [...now].filter(([key, one]) => JSON.stringify(one) !== JSON.stringify(before.get(key)));
  return lines(new Map(fresh));
}

/** Dependencies of another pending change belong to that change, not to this one. */
const ofItsOwn = (line: string): boolean => !/\|(ConfigMap|Secret)\|/.test(line);

/** Every member answers again. */
function recovered(world: World): World {
  const next = world.fork();
  for (const { metadata } of world.clusters) reach(next, metadata.name, true);
  run(next);
  return next;
}

const free = { suspends: false, rollouts: false, outages: true, overrides: true } as const;

describe.each([
  ['of any world at rest and any change', proposals],
  [
    'of an edited policy, where templates stand alike',
    (words: Vocabulary) => edits({ ...words, namespaces: ['a1', 'a2'], dependencies: 'rarely' }),
  ],
  ['where something happened to one of many that stand alike', companies],
])('%s', (_, told) => {
  property(
    'a plan tells what then happens at once, and nothing else',
    told({ outages: true, overrides: true }),
    ({ story, change }) => {
      const world = tell(story);
      const { effects, errors } = plan(world, change);
      if (errors.length > 0) return;
      expect(said(effects, 'now')).toEqual(lines(seen(world, done(world, change))));
    },
  );

  property(
    'the effects that a plan calls unreachable are those that the return of every member then has',
    told({ outages: true, overrides: true }),
    ({ story, change }) => {
      const world = tell(story);
      const { effects, errors } = plan(world, change);
      if (errors.length > 0) return;
      const next = done(world, change);
      const expected = added(seen(next, recovered(next)), seen(world, recovered(world)));
      expect(said(effects, 'unreachable')).toEqual(expected);
    },
  );

  property('what a plan calls pending is what a request to all then does', told(free), ({ story, change }) => {
    const world = tell(story);
    const { effects, errors } = plan(world, change);
    if (errors.length > 0) return;
    const [before, after] = [recovered(world), recovered(done(world, change))];
    const expected = added(seen(after, askedAll(after)), seen(before, askedAll(before)));
    expect(said(effects, 'pending').filter(ofItsOwn)).toEqual(expected.filter(ofItsOwn));
  });

  property(
    'the effects that a plan calls suspended are those that the end of every suspension then has',
    told({ outages: true, overrides: true }),
    ({ story, change }) => {
      const world = tell(story);
      const { effects, errors } = plan(world, change);
      if (errors.length > 0) return;
      const [before, after] = [recovered(world), recovered(done(world, change))];
      const expected = added(seen(after, released(after)), seen(before, released(before)));
      expect(said(effects, 'suspended')).toEqual(expected);
    },
  );
});
