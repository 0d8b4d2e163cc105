import type { View } from '../../api/index.ts';
import { decidePolicyRelease, gatherPolicyRelease } from '../claim/index.ts';
import type { Decision } from '../decision.ts';
import { decideDependencies, gatherDependencies } from '../dependencies/index.ts';
import { decideEviction, gatherEviction } from '../evict/index.ts';
import { decideCluster, decideNamespace, gatherCluster, gatherNamespace } from '../fleet/index.ts';
import { decideQuota, gatherQuota } from '../quota/index.ts';
import { decideAutoscale, gatherAutoscale } from '../autoscale/index.ts';
import { decideRebalance, gatherRebalance } from '../rebalance/index.ts';
import { decideExpiry, gatherExpiry } from '../suspension/index.ts';
import { decideRender, gatherRender } from '../render/index.ts';
import { claim, collect, dispatch, reflect, schedule } from './combined.ts';
import type { Answer, Question } from './question.ts';
import { guarded } from './undecided.ts';

type Answers = { readonly [Q in Question]: Answer<Q> };

const answers: Answers = {
  claim,
  policy: answering(gatherPolicyRelease, decidePolicyRelease),
  cluster: answering(gatherCluster, decideCluster),
  namespace: answering(gatherNamespace, decideNamespace),
  suspension: answering(gatherExpiry, decideExpiry),
  autoscale: answering(gatherAutoscale, decideAutoscale),
  rebalance: answering(gatherRebalance, decideRebalance),
  quota: answering(gatherQuota, decideQuota),
  evict: answering(gatherEviction, decideEviction),
  schedule,
  dependencies: answering(gatherDependencies, decideDependencies),
  render: answering(gatherRender, decideRender),
  dispatch,
  reflect,
  collect,
};

/**
 * Every decision, in the order in which a change flows through them. `settle` and the live controllers run this table, so a
 * plan runs the code that the controllers run; `wake` says which changes reopen a question.
 */
export const questions: Answers = Object.fromEntries(
  (Object.keys(answers) as Question[]).map((question) => [question, guarded(question, answers[question])]),
) as Answers;

function answering<Facts, D extends Decision>(
  gather: (view: View, key: string) => Facts | undefined,
  decide: (facts: Facts) => D,
): (view: View, key: string) => D | undefined {
  return (view, key) => {
    const facts = gather(view, key);
    return facts === undefined ? undefined : decide(facts);
  };
}
