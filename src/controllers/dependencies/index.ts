import { keyOf, refOf } from '../../api/index.ts';
import type { Binding, View } from '../../api/index.ts';
import { writtenBy } from '../controller.ts';
import type { ControllerDefinition, PerformedAction } from '../controller.ts';
import { conflictEvents } from '../messages.ts';

/** What does this workload need, and where? */
export const dependencies: ControllerDefinition<'dependencies'> = {
  name: 'dependencies',
  question: 'dependencies',
  concurrent: ['attach'],
  source: { component: 'dependencies-distributor' },
  events: {
    record: [{ stem: 'GetDependencies', on: ['template'], meaning: 'the dependencies of the template were found' }],
    attach: [
      {
        stem: 'SyncScheduleResultToDependencies',
        on: ['binding'],
        meaning: 'the dependencies of the template were placed with it',
      },
    ],
    detach: [],
  },
  otherEvents: {
    list: [
      {
        reason: 'DependencyPolicyConflict',
        on: 'binding',
        meaning: 'the policies of the referrers differ; the message names the fields',
      },
    ],
    of: (view, done) => conflictEvents(view, attachedBy(view, done)),
  },
};

/** The binding of the dependency that an action wrote. */
function attachedBy(view: View, done: PerformedAction): readonly Binding[] {
  const now = writtenBy(done) as Binding | undefined;
  if (!now || done.error !== undefined || done.action.do === 'record') return [];
  return [(view.get(keyOf(refOf(now))) as Binding | undefined) ?? now];
}
