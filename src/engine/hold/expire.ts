import type { Condition, RolloutPolicy, View } from '../../api/index.ts';
import { conditionStatus, withCondition } from '../conditions.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { suspendedClusters } from './holds.ts';

/** A rollout policy and the time. */
export interface HoldFacts {
  readonly rollout: RolloutPolicy;
  readonly now: string;
}

export type HoldAction = Action<'report'>;

/** Gathers the facts; undefined when the rollout policy is gone. */
export function gatherHold(view: View, key: string): HoldFacts | undefined {
  const rollout = view.get(key) as RolloutPolicy | undefined;
  return rollout && { rollout, now: view.now };
}

/**
 * Does this hold still count, and until when? All who ask read its end from the clock, so what it held never waits for
 * what is written here: the record that its time came, which tells also those who were away when it did.
 */
export function decideHold({ rollout, now }: HoldFacts): Decision<HoldAction> {
  const { suspension, until } = rollout.spec;
  if (rollout.metadata.deletionTimestamp || !suspendedClusters(suspension)) return rest('HoldOver');
  if (until !== undefined && Date.parse(until) <= Date.parse(now)) return recorded({ rollout, now }, ended(until));
  const held = recorded({ rollout, now }, begunAgain(rollout));
  return until === undefined ? held : { ...held, again: until };
}

type Saying = Omit<Condition, 'lastTransitionTime'>;

const type = 'Held';

/** Names the time, so that a second end is told from the first. */
function ended(until: string): Saying {
  return { type, status: 'False', reason: 'HoldOver', message: `the hold ended at ${until}` };
}

/** One that has never ended has nothing to take back. */
function begunAgain({ status }: RolloutPolicy): Saying | undefined {
  if (conditionStatus(status?.conditions, type) === undefined) return undefined;
  return { type, status: 'True', reason: 'Held', message: 'the hold counts again' };
}

function recorded({ rollout, now }: HoldFacts, saying: Saying | undefined): Decision<HoldAction> {
  const because = saying?.status === 'False' ? 'HoldOver' : 'Held';
  const before = rollout.status?.conditions;
  const conditions = saying && withCondition(before, saying, now);
  if (!conditions || conditions === before) return rest(because);
  const object = { ...rollout, status: { ...rollout.status, conditions } };
  return act(because, { do: 'report', write: { verb: 'updateStatus', object } });
}
