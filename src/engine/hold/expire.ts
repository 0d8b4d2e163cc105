import type { RolloutPolicy, View } from '../../api/index.ts';
import { rest } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { suspendedClusters } from './holds.ts';

/** A rollout policy and the time. */
export interface HoldFacts {
  readonly rollout: RolloutPolicy;
  readonly now: string;
}

/** Gathers the facts; undefined when the rollout policy is gone. */
export function gatherHold(view: View, key: string): HoldFacts | undefined {
  const rollout = view.get(key) as RolloutPolicy | undefined;
  return rollout && { rollout, now: view.now };
}

/** Does this hold still count, and until when? Nothing is written: its end is read from the clock by all who ask. */
export function decideHold({ rollout, now }: HoldFacts): Decision<never> {
  const { suspension, until } = rollout.spec;
  if (!suspendedClusters(suspension)) return rest('HoldOver');
  if (until === undefined) return rest('Held');
  return Date.parse(until) <= Date.parse(now) ? rest('HoldOver', until) : { ...rest('Held'), again: until };
}
