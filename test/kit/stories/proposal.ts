import * as fc from 'fast-check';
import type { KubeObject } from '../../../src/api/index.ts';
import { contentOf, effectOf } from '../../../src/engine/index.ts';
import type { ProposedChange, World } from '../../../src/engine/index.ts';
import { events, stories } from './anything.ts';
import type { Story, Vocabulary } from './anything.ts';

/** A story, and something that somebody thinks of doing at its end. */
export interface Proposal {
  readonly story: Story;
  readonly change: ProposedChange;
}

/** How long stories are, and how many objects a change has, at most. */
export interface ProposalWords {
  readonly steps?: number;
  readonly objects?: number;
}

/** Any story with any change. */
export function proposals(words: Vocabulary, { steps = 6, objects = 2 }: ProposalWords = {}): fc.Arbitrary<Proposal> {
  const change = fc
    .array(events(words), { minLength: 1, maxLength: objects })
    .map((all): ProposedChange => ({
      apply: all.flatMap((event) => (event.do === 'apply' ? [event.object] : [])),
      delete: all.flatMap((event) => (event.do === 'delete' ? [event.ref] : [])),
    }))
    .filter(({ apply, delete: gone }) => (apply?.length ?? 0) + (gone?.length ?? 0) > 0);
  return fc.record({ story: stories(words, steps), change });
}

/** The first object of a change: several that are written at once may be seen half done, and the author knows it. */
export function firstOf({ apply = [], delete: gone = [] }: ProposedChange): ProposedChange {
  return apply.length > 0 ? { apply: apply.slice(0, 1) } : { delete: gone.slice(0, 1) };
}

/** The effect on an object in a member, and its state after it. */
export interface Seen {
  readonly effect: string;
  readonly content: KubeObject | undefined;
}

/** Everything in every member, by key. */
function membersOf(world: World): ReadonlyMap<string, KubeObject> {
  return new Map([...world.entries()].filter(([key]) => key.startsWith('@')));
}

/** The differences in the members, found by looking at all of them. */
export function seen(before: World, after: World): ReadonlyMap<string, Seen> {
  const [was, is] = [membersOf(before), membersOf(after)];
  const found = new Map<string, Seen>();
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const now = is.get(key);
    const effect = effectOf(was.get(key), now);
    if (effect) found.set(key, { effect, content: now && contentOf(now) });
  }
  return found;
}
