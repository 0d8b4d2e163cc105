import type { Condition, RolloutPolicy, View } from '../../api/index.ts';
import { conditionStatus, withCondition } from '../conditions.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { suspendedClusters } from './suspensions.ts';

/** A rollout policy and the time. */
export interface ExpiryFacts {
  readonly rollout: RolloutPolicy;
  readonly now: string;
}

/** The actions of the end of a suspension. */
export type ExpiryAction = Action<'report'>;

/** Gathers the facts; undefined when the rollout policy is gone. */
export function gatherExpiry(view: View, key: string): ExpiryFacts | undefined {
  const rollout = view.get(key) as RolloutPolicy | undefined;
  return rollout && { rollout, now: view.now };
}

/**
 * Tells whether this suspension still counts, and until when. All readers compare its end with the clock, so what it
 * suspended never waits for this write: the record that its time came, which informs also those who were away.
 */
export function decideExpiry({ rollout, now }: ExpiryFacts): Decision<ExpiryAction> {
  const { suspension, until } = rollout.spec;
  if (rollout.metadata.deletionTimestamp || !suspendedClusters(suspension)) return rest('SuspensionOver');
  if (until !== undefined && Date.parse(until) <= Date.parse(now)) return recorded({ rollout, now }, ended(until));
  const condition = recorded({ rollout, now }, begunAgain(rollout));
  return until === undefined ? condition : { ...condition, again: until };
}

type Saying = Omit<Condition, 'lastTransitionTime'>;

const type = 'Suspended';

/** Names the time, so that a second end is told from the first. */
function ended(until: string): Saying {
  return { type, status: 'False', reason: 'SuspensionOver', message: `the suspension ended at ${until}` };
}

/** One that has never ended has nothing to take back. */
function begunAgain({ status }: RolloutPolicy): Saying | undefined {
  if (conditionStatus(status?.conditions, type) === undefined) return undefined;
  return { type, status: 'True', reason: 'Suspended', message: 'the suspension is active again' };
}

function recorded({ rollout, now }: ExpiryFacts, saying: Saying | undefined): Decision<ExpiryAction> {
  const because = saying?.status === 'False' ? 'SuspensionOver' : 'Suspended';
  const before = rollout.status?.conditions;
  const conditions = saying && withCondition(before, saying, now);
  if (!conditions || conditions === before) return rest(because);
  const object = { ...rollout, status: { ...rollout.status, conditions } };
  return act(because, { do: 'report', write: { verb: 'updateStatus', object } });
}
