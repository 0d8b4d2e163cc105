import type { Schema } from '../schema.ts';
import { about, boolean, object, ruled, strings } from './build.ts';

const members = (description: string): Schema =>
  about(description, object({ clusterNames: strings('The members to which nothing is sent, by name.') }));

const suspensionParts = {
  suspendDispatching: boolean('Whether nothing is sent to any member. Default false.'),
  suspendDispatchingOnClusters: members(
    'Members to which nothing is sent; dispatching to the others continues. Not together with suspendDispatching.',
  ),
  dispatching: boolean('The same as suspendDispatching: true suspends. Set one of the two fields, not both.'),
  dispatchingOnClusters: members('The same as suspendDispatchingOnClusters. Set one of the two fields, not both.'),
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
    'Suspends dispatching to members: new objects, changes, repairs, and removals by a change of placement. Takes effect at once, also under Lazy; the deletion of the template itself is not suspended.',
    ruled(object(suspensionParts), ...suspensionRules),
  );

/** The suspension of a binding, which may also suspend its scheduling. */
export const bindingSuspension = (): Schema =>
  about(
    'Suspends dispatching to members, from the policy, and scheduling.',
    ruled(
      object({
        ...suspensionParts,
        scheduling: boolean('Whether scheduling of this binding is suspended. Default false; no policy sets it.'),
      }),
      ...suspensionRules,
    ),
  );
