import type { View } from '../../api/index.ts';
import { decideFarewell, gatherFarewell } from '../claim/index.ts';
import { decideCollect, decideReflect, gatherCollect } from '../collect/index.ts';
import type { Decision } from '../decision.ts';
import { decideDependencies, gatherDependencies } from '../dependencies/index.ts';
import { decideDispatch, gatherDispatch } from '../dispatch/index.ts';
import { decideEviction, gatherEviction } from '../evict/index.ts';
import { decideCluster, decideNamespace, gatherCluster, gatherNamespace } from '../fleet/index.ts';
import { decideHold, gatherHold } from '../hold/index.ts';
import { decideRender, gatherRender } from '../render/index.ts';
import { decideSchedule, gatherSchedule } from '../schedule/index.ts';
import { detect } from './detect.ts';
import type { Question } from './wakes.ts';

/** Gathers and decides; undefined when the object is gone. */
export type Answer = (view: View, key: string) => Decision | undefined;

function answering<Facts>(
  gather: (view: View, key: string) => Facts | undefined,
  decide: (facts: Facts) => Decision,
): Answer {
  return (view, key) => {
    const facts = gather(view, key);
    return facts === undefined ? undefined : decide(facts);
  };
}

/** Every decision there is, in the order in which a change flows through them. */
export const questions: Readonly<Record<Question, Answer>> = {
  claim: detect,
  farewell: answering(gatherFarewell, decideFarewell),
  cluster: answering(gatherCluster, decideCluster),
  namespace: answering(gatherNamespace, decideNamespace),
  hold: answering(gatherHold, decideHold),
  evict: answering(gatherEviction, decideEviction),
  schedule: answering(gatherSchedule, decideSchedule),
  dependencies: answering(gatherDependencies, decideDependencies),
  render: answering(gatherRender, decideRender),
  dispatch: answering(gatherDispatch, decideDispatch),
  reflect: answering(gatherDispatch, decideReflect),
  collect: answering(gatherCollect, decideCollect),
};
