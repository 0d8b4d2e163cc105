import type { RolloutPolicy, View } from '../../api/index.ts';
import { writtenBy } from '../controller.ts';
import type { ControllerDefinition, ObjectEvent, PerformedAction } from '../controller.ts';
import { SuspensionTimers } from './timers.ts';

/** Tells whether the suspension of this RolloutPolicy has ended. */
export const suspensions: ControllerDefinition<'suspension'> = {
  // The label that dashboards select by.
  name: 'holds',
  question: 'suspension',
  concurrent: ['report'],
  events: { report: [], finalize: [], accept: [] },
  otherEvents: {
    list: [
      {
        reason: 'SuspensionOver',
        on: 'RolloutPolicy, ClusterRolloutPolicy',
        meaning: 'the suspension is over: its time has come',
      },
    ],
    of: endEvents,
  },
  assist: (live) => new SuspensionTimers(live),
};

/** Emitted once when the time of a suspension is over. */
function endEvents(_: View, done: PerformedAction): readonly ObjectEvent[] {
  if (done.decision.because !== 'SuspensionOver' || done.error !== undefined) return [];
  const rollout = writtenBy(done) as RolloutPolicy;
  const message = `the suspension ended at ${rollout.spec.until}`;
  return [{ object: rollout, type: 'Normal', reason: 'SuspensionOver', message, component: 'sluice' }];
}
