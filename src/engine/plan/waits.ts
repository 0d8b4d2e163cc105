import { keyOf } from '../../api/index.ts';
import type { Ref } from '../../api/index.ts';
import { claimantOf, claimOf, isLazy } from '../claim/index.ts';
import type { World } from '../world/index.ts';
import type { Waits } from './effects.ts';

/** Why a template that waits does so; where all policies are static, one that is lazy too would wait without that. */
export function waitsIn(world: World, ref: Ref): Waits {
  if (!world.gates.StaticPolicy) return 'lazy';
  const template = world.get(keyOf(ref));
  const claim = template && claimOf(template);
  const managingPolicy = claim && claimantOf(world, claim);
  return managingPolicy && isLazy(managingPolicy) ? 'lazy' : 'static';
}
