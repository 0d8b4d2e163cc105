import type { Binding, KubeObject, View } from '../../api/index.ts';
import { bindingOf, claimOf, ownsBinding } from '../claim/index.ts';
import type { Claim } from '../claim/index.ts';
import { conditionStatus } from '../conditions.ts';
import type { Decision } from '../decision.ts';
import { brakesOf, isBraked, isHeldOn } from '../hold/index.ts';
import type { Brakes } from '../hold/index.ts';
import { targetsOf, worksOf } from '../render/index.ts';
import type { Reason } from '../reasons.ts';

/** How one template stands under the policy that holds it. */
export interface Standing {
  readonly claim: Claim;
  /** Its binding says what the policy says. */
  readonly follows: boolean;
  /** The policy, or the template itself, says something that waits for the template's next change. */
  readonly pending: boolean;
  /** Something that would be sent to a member, or taken from it, is held by a suspension. */
  readonly held: boolean;
  /** No clusters could be chosen for it. */
  readonly unplaced: boolean;
}

const waits: ReadonlySet<Reason> = new Set(['WaitingForTemplateChange', 'WaitingForPolicy']);

/** How a template stands after this decision about its claim; undefined when no policy holds it. */
export function standingOf(view: View, template: KubeObject, { because, actions }: Decision): Standing | undefined {
  const claim = claimOf(template);
  if (!claim) return undefined;
  const rests = actions.length === 0;
  return {
    claim,
    follows: rests && because === 'UpToDate',
    pending: rests && waits.has(because),
    ...onTheWay(view, template),
  };
}

/** What keeps a template from its clusters, whatever its claim says. */
export function onTheWay(view: View, template: KubeObject): Pick<Standing, 'held' | 'unplaced'> {
  const binding = bindingOf(view, template);
  if (!binding || !ownsBinding(template, binding)) return { held: false, unplaced: false };
  return {
    held: isHeldSomewhere(view, binding, brakesOf(view, binding, template)),
    unplaced: conditionStatus(binding.status?.conditions, 'Scheduled') === 'False',
  };
}

function isHeldSomewhere(view: View, binding: Binding, brakes: Brakes): boolean {
  if (!isBraked(brakes)) return false;
  if (targetsOf(binding).some(({ name }) => isHeldOn(brakes, name))) return true;
  for (const member of worksOf(view, binding).keys()) if (isHeldOn(brakes, member)) return true;
  return false;
}
