import type { Binding, Condition, KubeObject, View, Work } from '../../api/index.ts';
import { inEffectCondition } from '../../engine/index.ts';
import { writtenBy } from '../controller.ts';
import type { ControllerDefinition, ObjectEvent, PerformedAction, Subjects } from '../controller.ts';
import { PodTroubles } from './pods.ts';

/** Question 5 for one member: what does the member say about this Work? */
export const reflector: ControllerDefinition<'reflect'> = {
  name: 'reflector',
  question: 'reflect',
  perMember: true,
  rank: 1,
  concurrent: ['report'],
  source: { component: 'work-status-controller' },
  events: {
    report: [
      { stem: 'ReflectStatus', on: ['work'], meaning: 'the status of the object in the member is in the Work' },
      {
        stem: 'InterpretHealth',
        on: ['work'],
        meaning: 'the health of the object in the member was judged',
        when: hasHealth,
      },
    ],
  },
  assist: (live) => new PodTroubles(live),
};

function hasHealth(done: PerformedAction): boolean {
  const health = (writtenBy(done) as Work | undefined)?.status?.manifestStatuses?.[0]?.health;
  return health !== undefined && health !== 'Unknown';
}

const component = 'binding-status-controller';

/** Question 5: what does the fleet say about this template? */
export const collector: ControllerDefinition<'collect'> = {
  name: 'collector',
  question: 'collect',
  rank: 2,
  concurrent: ['report'],
  source: { component },
  events: {
    report: [
      {
        stem: 'AggregateStatus',
        on: ['binding', 'template'],
        meaning: 'the statuses of all members were aggregated',
        when: (done) => writtenBy(done)?.kind.endsWith('ResourceBinding') === true,
      },
    ],
  },
  otherEvents: {
    list: [
      {
        reason: 'Unhealthy',
        on: 'binding, template',
        meaning: 'the template is past its deadline or failed in a member; the message has the words of the member',
      },
      { reason: 'InEffect', on: 'binding, template', meaning: 'a template that was unhealthy is healthy again' },
    ],
    of: effectEvents,
  },
};

/** Emitted once when a template becomes unhealthy in a member, and once when it is in effect again. */
function effectEvents(_: View, done: PerformedAction, { binding, template }: Subjects): readonly ObjectEvent[] {
  const now = effectIn(writtenBy(done));
  if (done.error !== undefined || !now) return [];
  const before = effectIn(done.before)?.reason;
  const isNew =
    now.reason === 'Unhealthy' ? before !== 'Unhealthy' : now.reason === 'InEffect' && before === 'Unhealthy';
  if (!isNew) return [];
  const { reason, message } = now;
  const type = reason === 'Unhealthy' ? 'Warning' : 'Normal';
  return [binding, template].flatMap((object) => (object ? [{ object, type, reason, message, component }] : []));
}

function effectIn(object: KubeObject | undefined): Condition | undefined {
  return (object as Binding | undefined)?.status?.conditions?.find(({ type }) => type === inEffectCondition);
}
