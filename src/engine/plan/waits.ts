import { keyOf, refOf } from '../../api/index.ts';
import type { KubeObject, OverridePolicy, Ref } from '../../api/index.ts';
import { claimantOf, claimOf, isLazy, isPropagated } from '../claim/index.ts';
import { eachOverridden, isOverride, matchOverride } from '../match/index.ts';
import type { Reason } from '../reasons.ts';
import { questions } from '../world/index.ts';
import type { World } from '../world/index.ts';
import type { ProposedChange } from './change.ts';
import type { Waits } from './effects.ts';

/** Why a template that waits does so; where all policies are static, one that is lazy too would wait without that. */
export function waitsIn(world: World, ref: Ref): Waits {
  if (!world.gates.StaticPolicy) return 'lazy';
  const template = world.get(keyOf(ref));
  const claim = template && claimOf(template);
  const managingPolicy = claim && claimantOf(world, claim);
  return managingPolicy && isLazy(managingPolicy) ? 'lazy' : 'static';
}

/** Reasons of claims that wait for a change of the template. */
export const waitingReasons: ReadonlySet<Reason> = new Set(['WaitingForTemplateChange', 'WaitingForPolicy']);

/**
 * The keys of templates that wait for their next change and get other content then, because override policies of the change
 * select them now or did before. Their claims are not asked again by such a change.
 */
export function waitingOverridden(
  base: World,
  next: World,
  { apply = [], delete: gone = [] }: ProposedChange,
): readonly string[] {
  const found: string[] = [];
  const consider = (_: KubeObject, key: string): void => {
    const claim = questions.claim(next, key);
    if (claim && waitingReasons.has(claim.because)) found.push(key);
  };
  for (const ref of [...apply.map(refOf), ...gone]) {
    for (const world of [base, next]) {
      const policy = world.get(keyOf(ref));
      if (policy && isOverride(policy)) eachSelected(world, policy, consider);
    }
  }
  return found;
}

/** Includes templates that have no binding. */
function eachSelected(world: World, policy: OverridePolicy, visit: (template: KubeObject, key: string) => void): void {
  if (policy.spec.resourceSelectors?.length) return eachOverridden(world, policy, visit);
  for (const [key, object] of world.entries()) {
    if (!key.startsWith('@') && isPropagated(object) && matchOverride(policy, object).matches) visit(object, key);
  }
}
