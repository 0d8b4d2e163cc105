import type { Schema } from '../schema.ts';
import { about, boolean, object, ruled, strings } from './build.ts';

const members = (description: string): Schema =>
  about(description, object({ clusterNames: strings('The members to which nothing is sent, by name.') }));

const suspensionParts = {
  suspendDispatching: boolean('Whether nothing is sent to any member. Default false.'),
  suspendDispatchingOnClusters: members(
    'Members to which nothing is sent; the others go on. Not together with suspendDispatching.',
  ),
  dispatching: boolean('The same as suspendDispatching: true holds. Write one spelling, not both.'),
  dispatchingOnClusters: members('The same as suspendDispatchingOnClusters. Write one spelling, not both.'),
};

const allAndSome = (all: string, some: string): string =>
  `!(has(self.${all}) && self.${all} && has(self.${some}) && has(self.${some}.clusterNames) && size(self.${some}.clusterNames) > 0)`;

const suspensionRules = [
  {
    rule:
      '!((has(self.suspendDispatching) || has(self.suspendDispatchingOnClusters))' +
      ' && (has(self.dispatching) || has(self.dispatchingOnClusters)))',
    message: 'two spellings of one thing: write suspendDispatching… or dispatching…, not both',
  },
  {
    rule: allAndSome('suspendDispatching', 'suspendDispatchingOnClusters'),
    message: 'suspendDispatching stops all members: leave out suspendDispatchingOnClusters, or suspendDispatching',
  },
  {
    rule: allAndSome('dispatching', 'dispatchingOnClusters'),
    message: 'dispatching stops all members: leave out dispatchingOnClusters, or dispatching',
  },
];

/** Holds what would be sent to members; both spellings, one at a time. */
export const suspension = (): Schema =>
  about(
    'Holds what would be sent to members: new objects, changes, repairs, and removals by a change of placement. Acts at once, also under Lazy; the deletion of the template itself goes through.',
    ruled(object(suspensionParts), ...suspensionRules),
  );

/** The suspension of a binding, which may also hold its scheduling. */
export const bindingSuspension = (): Schema =>
  about(
    'What is held: the sending to members, as the policy says, and the choice of members.',
    ruled(
      object({
        ...suspensionParts,
        scheduling: boolean('Whether the scheduler leaves this binding alone. Default false; no policy sets it.'),
      }),
      ...suspensionRules,
    ),
  );
