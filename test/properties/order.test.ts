import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import { policyFamilies, rolloutFamilies } from '../../src/api/index.ts';
import type { Policy, RolloutPolicy } from '../../src/api/index.ts';
import { run } from '../../src/engine/index.ts';
import { events, gates, policies, stories } from '../kit/stories/anything.ts';
import type { Step, Story } from '../kit/stories/anything.ts';
import { happen, stageFor } from '../kit/stories/event.ts';
import type { Event } from '../kit/stories/event.ts';
import { fleetOf, pictureOf } from '../kit/stories/picture.ts';
import type { Picture } from '../kit/stories/picture.ts';
import { property } from '../kit/stories/runs.ts';
import { tell } from '../kit/stories/tell.ts';

const local = { scopes: ['namespace'], clusterRoles: false, fleet: false, time: false } as const;
const here = fc.array(events({ ...local, overrides: true, namespaces: ['a1'] }), {
  minLength: 1,
  maxLength: 6,
  size: 'max',
});
const there = fc.array(events({ ...local, overrides: true, namespaces: ['b1'] }), {
  minLength: 1,
  maxLength: 6,
  size: 'max',
});

const independent = fc.record({
  gates,
  rules: fc.array(policies({ scopes: ['cluster'] }), { maxLength: 3 }),
  here,
  there,
  /** For each place, does the next event come from here? */
  turns: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  burst: fc.boolean(),
});

function merged(a: readonly Event[], b: readonly Event[], turns: readonly boolean[]): readonly Event[] {
  const left = [...a];
  const right = [...b];
  const all: Event[] = [];
  for (const turn of turns) {
    const next = (turn ? left : right).shift();
    if (next) all.push(next);
  }
  return [...all, ...left, ...right];
}

interface Scene {
  readonly gates: Story['gates'];
  readonly rules: readonly Policy[];
  readonly burst: boolean;
}

function outcome({ gates: words, rules, burst }: Scene, all: readonly Event[]): Picture {
  const world = stageFor(words);
  rules.forEach((object, i) => happen(world, { do: 'apply', object }, i));
  run(world);
  for (const event of all) {
    happen(world, event, 100);
    if (!burst) run(world);
  }
  run(world);
  return pictureOf(world);
}

describe('independent changes', () => {
  property('the order of changes in different namespaces does not matter', independent, (changes) => {
    const oneAfterTheOther = outcome(changes, [...changes.here, ...changes.there]);
    expect(outcome(changes, merged(changes.here, changes.there, changes.turns))).toEqual(oneAfterTheOther);
  });

  property('a restart at every step changes nothing of the end', stories({ overrides: true }), (story) => {
    const steps = story.steps.map(({ event, pause }): Step => ({
      event,
      pause: pause === 'goOn' ? 'goOn' : 'restart',
    }));
    expect(pictureOf(tell({ ...story, steps }))).toEqual(pictureOf(tell(story)));
  });
});

const narrow = { scopes: ['namespace'], namespaces: ['a1'], clusterRoles: false } as const;

const widerKinds = new Map<string, string>(
  [policyFamilies, rolloutFamilies].map(({ namespace, cluster }) => [namespace.kind, cluster.kind]),
);

/** The cluster policy that says of one namespace what the namespaced policy says of its own. */
function widened(policy: Policy | RolloutPolicy): Policy | RolloutPolicy {
  const { namespace = '', name } = policy.metadata;
  const resourceSelectors = policy.spec.resourceSelectors.map((selector) => ({ ...selector, namespace }));
  const kind = widerKinds.get(policy.kind) ?? policy.kind;
  return { ...policy, kind, metadata: { name }, spec: { ...policy.spec, resourceSelectors } } as Policy | RolloutPolicy;
}

function inClusterScope(event: Event): Event {
  if (event.do === 'apply' && widerKinds.has(event.object.kind))
    return { ...event, object: widened(event.object as Policy | RolloutPolicy) };
  const kind = event.do === 'delete' && widerKinds.get(event.ref.kind);
  if (!kind) return event;
  const { apiVersion, name } = event.ref;
  return { do: 'delete', ref: { apiVersion, kind, name } };
}

describe('both scopes', () => {
  property('a cluster policy over one namespace does what a policy in it does', stories(narrow), (story) => {
    const steps = story.steps.map((step): Step => ({ ...step, event: inClusterScope(step.event) }));
    expect(fleetOf(tell({ ...story, steps }))).toEqual(fleetOf(tell(story)));
  });
});
