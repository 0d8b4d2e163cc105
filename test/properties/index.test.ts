import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import { keyOf, refOf } from '../../src/api/index.ts';
import type { KubeObject, Policy, RolloutPolicy } from '../../src/api/index.ts';
import {
  candidatesOf,
  compareCandidates,
  eachTemplateOf,
  matchPolicy,
  matchSelectors,
  policiesNear,
  reaches,
  rolloutSuspensions,
  suspendedClusters,
} from '../../src/engine/index.ts';
import type { World } from '../../src/engine/index.ts';
import { policies, rollouts, templates } from '../kit/stories/anything.ts';
import { happen, stageFor } from '../kit/stories/event.ts';
import { property } from '../kit/stories/runs.ts';

const anything = fc.oneof(policies(), templates(), rollouts());

/** Objects come, change and go: the index must follow. */
const worlds = fc.record({
  large: fc.boolean(),
  objects: fc.array(anything, { minLength: 2, maxLength: 25, size: 'max' }),
  gone: fc.array(anything.map(refOf), { maxLength: 6 }),
  again: fc.array(anything, { maxLength: 6 }),
});

function worldOf({ large, objects, gone, again }: typeof worlds extends fc.Arbitrary<infer T> ? T : never): World {
  const ground = stageFor({}, large);
  objects.forEach((object, i) => happen(ground, { do: 'apply', object }, i));
  const world = ground.fork();
  for (const ref of gone) world.write({ verb: 'delete', ref });
  again.forEach((object, i) => happen(world, { do: 'apply', object }, 100 + i));
  return world;
}

const isPolicy = (object: KubeObject): object is Policy => object.kind.endsWith('PropagationPolicy');
const isRollout = (object: KubeObject): object is RolloutPolicy => object.kind.endsWith('RolloutPolicy');
const isTemplate = (object: KubeObject): boolean =>
  !object.apiVersion.includes('karmada.io') && object.kind !== 'Lease';

interface Parts {
  readonly all: readonly Policy[];
  readonly suspensions: readonly RolloutPolicy[];
  readonly templates: readonly KubeObject[];
}

function partsOf(world: World): Parts {
  const objects = [...world.entries()].map(([, object]) => object);
  return {
    all: objects.filter(isPolicy),
    suspensions: objects.filter(isRollout),
    templates: objects.filter(isTemplate),
  };
}

/** Tells whether it suspends the template, without the index. Its time is not over yet in these worlds. */
function suspendsPlainly(rollout: RolloutPolicy, template: KubeObject): boolean {
  const { suspension, resourceSelectors } = rollout.spec;
  if (!suspendedClusters(suspension) || !reaches(rollout, template)) return false;
  return matchSelectors(resourceSelectors, template).matches;
}

const names = (objects: Iterable<KubeObject>): readonly string[] => [...objects].map((one) => keyOf(refOf(one)));

describe('every world, small or layered', () => {
  property('the index finds the policies of a template that the plain matcher finds', worlds, (words) => {
    const world = worldOf(words);
    const { all, templates: found } = partsOf(world);
    for (const template of found) {
      const near = candidatesOf(policiesNear(world, template), template);
      const plain = candidatesOf(all, template);
      expect(names(near.map(({ policy }) => policy))).toEqual(names(plain.map(({ policy }) => policy)));
    }
  });

  property('the index finds the templates of a policy that the plain matcher finds, each once', worlds, (words) => {
    const world = worldOf(words);
    const { all, templates: found } = partsOf(world);
    for (const policy of all) {
      const visited: KubeObject[] = [];
      eachTemplateOf(world, policy, (template) => void visited.push(template));
      const plain = found.filter((template) => matchPolicy(policy, template).matches);
      expect([...names(visited)].sort()).toEqual([...names(plain)].sort());
    }
  });

  property('the index finds the suspensions of a template that the plain matcher finds, each once', worlds, (words) => {
    const world = worldOf(words);
    const { suspensions, templates: found } = partsOf(world);
    for (const template of found) {
      const plain = suspensions.filter((rollout) => suspendsPlainly(rollout, template));
      const spelt = plain.map(({ kind, metadata: { namespace, name } }) =>
        [kind, ...(namespace ? [namespace] : []), name].join('/'),
      );
      const suspended = rolloutSuspensions(world, template).map(({ by }) => by);
      expect([...suspended].sort()).toEqual([...spelt].sort());
    }
  });

  property('the order of policies is one order: total, and the same from both sides', worlds, (words) => {
    const { all, templates: found } = partsOf(worldOf(words));
    for (const template of found) {
      const ranked = candidatesOf(all, template);
      ranked.forEach((a, i) =>
        ranked.forEach((b, j) => {
          const order = Math.sign(compareCandidates(a, b));
          expect(order + Math.sign(compareCandidates(b, a))).toBe(0);
          expect(order).toBe(Math.sign(i - j));
        }),
      );
    }
  });
});
