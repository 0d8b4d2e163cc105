import { describe, expect } from 'vitest';
import { keyOf } from '../../src/api/index.ts';
import type { Binding } from '../../src/api/index.ts';
import { bindingsKey, evolve, plan, run } from '../../src/engine/index.ts';
import type { World } from '../../src/engine/index.ts';
import { stories } from '../kit/stories/anything.ts';
import { proposals, seen } from '../kit/stories/proposal.ts';
import { property } from '../kit/stories/runs.ts';
import { forget, tell } from '../kit/stories/tell.ts';

const words = { scheduling: true } as const;

function bindingsOf(world: World): readonly Binding[] {
  const found: Binding[] = [];
  world.each(bindingsKey, (binding) => found.push(binding as Binding));
  return found;
}

describe('with priorities and groups of workloads', () => {
  property('a restart changes nothing in any member', stories(words), (story) => {
    const world = tell(story);
    const next = world.fork();
    forget(next);
    run(next, { restart: true });
    expect([...seen(world, next).keys()]).toEqual([]);
  });

  property('a plan tells what then happens at once', proposals(words, { objects: 1 }), ({ story, change }) => {
    const world = tell(story);
    const { effects, errors } = plan(world, change);
    if (errors.length > 0) return;
    const next = world.fork();
    evolve(next, change);
    run(next);
    const now = effects.filter(({ when }) => when === 'now');
    const said = now.map(({ cluster, template, effect }) => `@${cluster}|${keyOf(template)} ${effect}`).sort();
    expect(said).toEqual([...seen(world, next)].map(([key, { effect }]) => `${key} ${effect}`).sort());
  });

  property('a binding has the value of its class, or of one that is gone', stories(words), (story) => {
    for (const { spec } of bindingsOf(tell(story))) expect([undefined, 9]).toContain(spec.schedulePriority?.priority);
  });
});
