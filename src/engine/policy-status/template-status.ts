import type { Binding, KubeObject, View } from '../../api/index.ts';
import { bindingOf, claimOf, ownsBinding } from '../claim/index.ts';
import type { Claim } from '../claim/index.ts';
import { stateSaid } from '../collect/index.ts';
import type { MemberState } from '../collect/index.ts';
import { conditionStatus } from '../conditions.ts';
import type { Decision } from '../decision.ts';
import { suspensionsOf, isSuspendedSomewhere, isSuspendedOn } from '../suspension/index.ts';
import type { Suspensions } from '../suspension/index.ts';
import { targetsOf, worksOf } from '../render/index.ts';
import { pendingOverride } from '../plan/index.ts';
import type { Reason } from '../reasons.ts';

/** The status of one template under the policy that manages it. */
export interface TemplateStatus {
  readonly claim: Claim;
  /** Its binding says what the policy says. */
  readonly follows: boolean;
  /** The policy, or the template itself, says something that waits for the template's next change. */
  readonly pending: boolean;
  /** Something that would be sent to a member, or taken from it, waits for the end of a suspension. */
  readonly suspended: boolean;
  /** A lazy override waits for the template's next change. */
  readonly overridesWait: boolean;
  /** No clusters could be chosen for it. */
  readonly unplaced: boolean;
}

const waits: ReadonlySet<Reason> = new Set(['WaitingForTemplateChange', 'WaitingForPolicy']);

/** The status of a template after this decision about its claim; undefined when no policy manages it. */
export function templateStatusOf(
  view: View,
  template: KubeObject,
  { because, actions }: Decision,
): TemplateStatus | undefined {
  const claim = claimOf(template);
  if (!claim) return undefined;
  const isIdle = actions.length === 0;
  return {
    claim,
    follows: isIdle && because === 'UpToDate',
    pending: isIdle && waits.has(because),
    ...blockedBy(view, template),
  };
}

/** The obstacle that keeps a template from its clusters, whatever its claim says. */
export function blockedBy(
  view: View,
  template: KubeObject,
): Pick<TemplateStatus, 'suspended' | 'overridesWait' | 'unplaced'> {
  const binding = bindingOf(view, template);
  if (!binding || !ownsBinding(template, binding)) return { suspended: false, overridesWait: false, unplaced: false };
  return {
    overridesWait: pendingOverride(view, template, binding) !== undefined,
    suspended: isKeptSomewhere(view, binding, suspensionsOf(view, binding, template)),
    unplaced: conditionStatus(binding.status?.conditions, 'Scheduled') === 'False',
  };
}

function isKeptSomewhere(view: View, binding: Binding, suspensions: Suspensions): boolean {
  if (!isSuspendedSomewhere(suspensions)) return false;
  if (targetsOf(binding).some(({ name }) => isSuspendedOn(suspensions, name))) return true;
  for (const member of worksOf(view, binding).keys()) if (isSuspendedOn(suspensions, member)) return true;
  return false;
}

/** How many templates are in which state. */
export type StateCounts = Readonly<Record<Exclude<MemberState, 'unknown'> | 'pending', number>>;

/** The state of a template in one word, as its binding says it; a change that waits for the template counts less than trouble. */
export function stateOf(view: View, template: KubeObject, pending: boolean): keyof StateCounts {
  const binding = bindingOf(view, template);
  const said = binding && ownsBinding(template, binding) ? stateSaid(binding) : 'progressing';
  return pending && (said === 'progressing' || said === 'inEffect') ? 'pending' : said;
}
