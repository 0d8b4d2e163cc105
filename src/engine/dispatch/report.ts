import type { Cluster, Condition, Work, WorkStatus } from '../../api/index.ts';
import { withCondition } from '../conditions.ts';
import type { DispatchAction } from './decide.ts';
import { readyOf } from './facts.ts';
import type { DispatchFacts, ManifestFacts } from './facts.ts';
import { saysAsSent } from './merge.ts';
import { removalsWords } from './removals.ts';
import type { RemovalsSuspension } from './removals.ts';

/** The Work with its Dispatching condition, which says whether it is dispatched or suspended. */
export function dispatching(facts: DispatchFacts): Work {
  return withStatus(facts, [dispatchingCondition(facts)]);
}

/** The Work once the member has what it should have. */
export function applied(facts: DispatchFacts): Work {
  const condition = {
    type: 'Applied',
    status: 'True',
    reason: 'AppliedSuccessful',
    message: 'Manifest has been successfully applied',
  } as const;
  return withStatus(facts, [dispatchingCondition(facts), condition]);
}

/** The Work when the member must not or did not take a manifest, with the reason in words. */
export function refused(facts: DispatchFacts, message: string): Work {
  const { others } = facts;
  const total = 1 + others.length;
  const done = others.length > 0 ? [facts, ...others].filter(hasArrived).length : 0;
  const condition = {
    type: 'Applied',
    status: 'False',
    reason: 'AppliedFailed',
    message: `Failed to apply all manifests (${done}/${total}): ${message}`,
  } as const;
  return withStatus(facts, [dispatchingCondition(facts), condition]);
}

/** The words of a refusal, without the count of manifests before them. */
export function bareRefusal(message: string): string {
  return message.replace(/^Failed to apply all manifests \(\d+\/\d+\): /, '');
}

function hasArrived({ manifest, present, interpreter }: ManifestFacts): boolean {
  return typeof present === 'object' && saysAsSent(present, manifest, interpreter);
}

/** The Work when its object is not removed because all removals are suspended. */
export function removalSuspended(facts: DispatchFacts, removals: RemovalsSuspension): Work {
  const words = `The object stays in ${facts.member}: ${removalsWords(removals)}. \`sluice resume removals\` removes it.`;
  const status = facts.gates.KarmadaDispatchingCondition ? 'False' : 'True';
  return withStatus(facts, [{ type: 'Dispatching', status, reason: 'RemovalsSuspended', message: words }]);
}

/** Says what is wrong with a member that is not ready, and since when. */
export function unreadyWords(member: string, cluster: Cluster | undefined): string {
  const ready = readyOf(cluster);
  if (!ready) return cluster ? `${member} is not ready` : `there is no member ${member}`;
  return `${member} is not ready since ${ready.lastTransitionTime}: ${ready.message}`;
}

/** Proposal 4 prints "True" while suspended; the gate selects the opposite polarity that Karmada released. */
function dispatchingCondition({ work, gates }: DispatchFacts): Omit<Condition, 'lastTransitionTime'> {
  const isSuspended = work.spec.suspendDispatching === true;
  return {
    type: 'Dispatching',
    status: isSuspended === gates.KarmadaDispatchingCondition ? 'False' : 'True',
    reason: isSuspended ? 'SuspendDispatching' : 'Dispatching',
    message: isSuspended ? 'Work dispatching is in a suspended state.' : 'Work is being dispatched to member clusters.',
  };
}

function withStatus({ work, now }: DispatchFacts, wanted: readonly Omit<Condition, 'lastTransitionTime'>[]): Work {
  let conditions = work.status?.conditions;
  for (const condition of wanted) conditions = withCondition(conditions, condition, now);
  if (conditions === work.status?.conditions) return work;
  const status: WorkStatus = { ...work.status, ...(conditions && { conditions }) };
  return { ...work, status };
}

/** The action that writes the status, if it differs. */
export function report(present: Work, wanted: Work): DispatchAction | undefined {
  return present === wanted ? undefined : { do: 'report', write: { verb: 'updateStatus', object: wanted } };
}
