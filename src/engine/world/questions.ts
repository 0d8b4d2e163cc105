import type { View } from '../../api/index.ts';
import { decidePolicyRelease, gatherPolicyRelease } from '../claim/index.ts';
import { decideCollect, decideReflect, gatherCollect } from '../collect/index.ts';
import type { Decision } from '../decision.ts';
import { decideDependencies, gatherDependencies } from '../dependencies/index.ts';
import { decideDispatch, gatherDispatch } from '../dispatch/index.ts';
import { decideEviction, gatherEviction } from '../evict/index.ts';
import { decideCluster, decideNamespace, gatherCluster, gatherNamespace } from '../fleet/index.ts';
import { decideExpiry, gatherExpiry } from '../suspension/index.ts';
import { decideRender, gatherRender } from '../render/index.ts';
import { decideSchedule, gatherSchedule } from '../schedule/index.ts';
import { detect } from './detect.ts';
import { accepted, gatheringFrom, undecided } from './undecided.ts';
import type { Question } from './wakes.ts';

/** Gathers and decides; undefined when the object is gone. */
export type Answer = (view: View, key: string) => Decision | undefined;

/**
 * Makes an answer total: facts that cannot be gathered, and a decision that fails on them, are an answer too. One object that
 * nobody can read stops neither the start nor the answers about other objects.
 */
export function guarded(question: Question, answer: Answer): Answer {
  return (view, key) => {
    if (view.unreadable.has(key)) return undecided(view, question, { key });
    try {
      const decision = answer(gatheringFrom(view), key);
      return decision && accepted(view, question, { key, decision });
    } catch (error) {
      return undecided(view, question, { key, error });
    }
  };
}

function answering<Facts>(
  gather: (view: View, key: string) => Facts | undefined,
  decide: (facts: Facts) => Decision,
): Answer {
  return (view, key) => {
    const facts = gather(view, key);
    return facts === undefined ? undefined : decide(facts);
  };
}

const plain: Readonly<Record<Question, Answer>> = {
  claim: detect,
  farewell: answering(gatherPolicyRelease, decidePolicyRelease),
  cluster: answering(gatherCluster, decideCluster),
  namespace: answering(gatherNamespace, decideNamespace),
  hold: answering(gatherExpiry, decideExpiry),
  evict: answering(gatherEviction, decideEviction),
  schedule: answering(gatherSchedule, decideSchedule),
  dependencies: answering(gatherDependencies, decideDependencies),
  render: answering(gatherRender, decideRender),
  dispatch: answering(gatherDispatch, decideDispatch),
  reflect: answering(gatherDispatch, decideReflect),
  collect: answering(gatherCollect, decideCollect),
};

/** Every decision there is, in the order in which a change flows through them. */
export const questions: Readonly<Record<Question, Answer>> = Object.fromEntries(
  (Object.keys(plain) as Question[]).map((question) => [question, guarded(question, plain[question])]),
) as Record<Question, Answer>;
