import { keyOf, refOf } from '../../api/index.ts';
import type { ProposedChange } from './change.ts';
import type { Effect, EffectKind } from './effects.ts';
import type { Plan } from './plan.ts';

/** Effects that disturb a workload whose template the change does not contain. */
const disturbing: ReadonlySet<EffectKind> = new Set(['restart', 'scale']);

/**
 * The effects of a change that need consent: every deletion in a member, and every restart or scaling of a template that
 * the change does not contain. Pending effects need none: they wait for the template, or for `sluice reconcile`.
 */
export function lossesOf({ effects }: Pick<Plan, 'effects'>, { apply = [] }: ProposedChange): readonly Effect[] {
  const named = new Set(apply.map((object) => keyOf(refOf(object))));
  return effects.filter(({ effect, when, template }) => {
    if (when === 'pending') return false;
    return effect === 'delete' || (disturbing.has(effect) && !named.has(keyOf(template)));
  });
}
