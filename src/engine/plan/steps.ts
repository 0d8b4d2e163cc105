import type { KubeObject } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import type { Settling, World } from '../world/index.ts';
import { contentOf, differences, effectOf } from './effects.ts';
import type { Difference } from './effects.ts';
import { completed } from './whatif.ts';

/** A settled world in which moves wait, and what still happens in it once every replacement is healthy. */
export interface Stage {
  readonly world: World;
  /** The same world after that. */
  readonly closed: World;
  readonly ended: readonly Difference[];
}

/** The world with the end of its moves. */
export function stageOf(world: World, settling: Settling): Stage {
  const closed = completed(world, settling);
  return { world, closed, ended: closed === world ? [] : differences(world, closed) };
}

/** The changes between two worlds: at once, and as soon as replacements are healthy. */
export interface PlanStep {
  readonly atOnce: readonly Difference[];
  readonly afterHealthy: readonly Difference[];
}

/** The step from one world to another that came from it; moves that were under way before are not part of it. */
export function stepTo(from: Stage, to: Stage): PlanStep {
  return { atOnce: differences(from.world, to.world), afterHealthy: onlyIn(to.ended, from.ended) };
}

/** The part of a step that was not to happen before: a change owns only what it changes. */
export function ownStep(now: PlanStep, before: PlanStep): PlanStep {
  const all = [...before.atOnce, ...before.afterHealthy];
  return { atOnce: onlyIn(now.atOnce, all), afterHealthy: onlyIn(now.afterHealthy, all) };
}

function onlyIn(now: readonly Difference[], before: readonly Difference[]): readonly Difference[] {
  if (before.length === 0) return now;
  const known = new Map(before.map((difference) => [difference.key, difference]));
  return now.filter((difference) => {
    const same = known.get(difference.key);
    return !same || same.effect !== difference.effect || !sameContent(same.after, difference.after);
  });
}

function sameContent(a: KubeObject | undefined, b: KubeObject | undefined): boolean {
  return a && b ? equal(contentOf(a), contentOf(b)) : a === b;
}

/** An object that changes at once and again later: the effect is that of both changes together. */
function combined(first: Difference, second: Difference | undefined): Difference {
  if (!second) return first;
  return { ...first, effect: effectOf(first.before, second.after) ?? first.effect, after: second.after };
}

/** The effects of a step as people read them: one effect for an object in a member, the deletion if there is one. */
export function toldIn({ atOnce, afterHealthy }: PlanStep): readonly (readonly [Difference, 'healthy' | undefined])[] {
  const later = new Map(afterHealthy.map((difference) => [difference.key, difference]));
  const first = atOnce
    .filter(({ key }) => later.get(key)?.effect !== 'delete')
    .map((difference) => combined(difference, later.get(difference.key)));
  const keys = new Set(first.map(({ key }) => key));
  return [
    ...first.map((difference) => [difference, undefined] as const),
    ...afterHealthy.filter(({ key }) => !keys.has(key)).map((difference) => [difference, 'healthy'] as const),
  ];
}
