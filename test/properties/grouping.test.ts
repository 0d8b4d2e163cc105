import { describe, expect } from 'vitest';
import { keyOf } from '../../src/api/index.ts';
import { plan } from '../../src/engine/index.ts';
import type { Plan } from '../../src/engine/index.ts';
import type { Vocabulary } from '../kit/stories/anything.ts';
import { companies } from '../kit/stories/dependency-stories.ts';
import { edits } from '../kit/stories/policy-edits.ts';
import { property } from '../kit/stories/runs.ts';
import { tell } from '../kit/stories/tell.ts';

function told({ effects }: Plan): readonly string[] {
  return effects.map(({ template, cluster, effect, when, because, policy }) =>
    [keyOf(template), cluster, effect, when, because, policy?.kind, policy?.namespace, policy?.name].join(' '),
  );
}

const words: Vocabulary = { namespaces: ['a1', 'a2'], dependencies: 'rarely' };

describe.each([
  ['of an edited policy, where templates stand alike', edits(words)],
  ['where something happened to one of many that stand alike', companies({})],
])('%s', (_, proposals) => {
  property('a plan in which one speaks for many is the plan in which each is asked', proposals, ({ story, change }) => {
    const world = tell(story);
    const together = plan(world, change);
    const oneByOne = plan(world, change, { isOneByOne: true });
    expect(told(together)).toEqual(told(oneByOne));
    expect(together.totals).toEqual(oneByOne.totals);
  });
});
