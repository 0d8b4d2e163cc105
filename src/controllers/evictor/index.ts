import type { View } from '../../api/index.ts';
import type { ControllerDefinition, EventRule, ObjectEvent, PerformedAction, Subjects } from '../controller.ts';
import { messageOf } from '../messages.ts';

const evicted = {
  stem: 'EvictWorkloadFromCluster',
  on: ['binding', 'template'],
  meaning: 'the workload has left a cluster, or cannot be told to',
} as const satisfies EventRule;

const source = {
  component: 'resource-binding-graceful-eviction-controller',
  cluster: 'cluster-resource-binding-graceful-eviction-controller',
} as const;

/** Which copies must leave a member, and when does a move end? */
export const evictor: ControllerDefinition<'evict'> = {
  name: 'evictor',
  question: 'evict',
  concurrent: ['report'],
  source,
  events: {
    evict: [{ ...evicted, onlyFailures: true }],
    // The end of a move is the end of what its ScheduleBinding event began.
    clear: [{ ...evicted, when: ({ decision }) => decision.because !== 'MoveDone' }],
    shrink: [],
    report: [],
  },
  otherEvents: {
    list: [
      {
        reason: 'MoveOverdue',
        on: 'binding, template',
        meaning: 'the replacement is still not healthy after the deadline: the old copy stays',
      },
    ],
    of: overdueEvents,
  },
};

/** Emitted when the deadline of a move has passed. */
function overdueEvents(_: View, done: PerformedAction, { binding, template }: Subjects): readonly ObjectEvent[] {
  if (done.decision.because !== 'MoveOverdue' || done.error !== undefined) return [];
  const component = binding?.kind === 'ClusterResourceBinding' ? source.cluster : source.component;
  const event = { type: 'Warning', reason: 'MoveOverdue', message: messageOf(done), component } as const;
  return [binding, template].flatMap((object) => (object ? [{ object, ...event }] : []));
}
