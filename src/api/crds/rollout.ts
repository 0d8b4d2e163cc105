import type { CustomResourceDefinition } from '../crd.ts';
import type { Schema } from '../schema.ts';
import { rolloutFamilies } from '../families.ts';
import type { Scope } from '../families.ts';
import { about, age, column, crd, object, string, time } from './build.ts';
import { conditions } from './kubernetes.ts';
import { resourceSelectors } from './selector.ts';
import { suspension } from './suspension.ts';

const spec = (selected: string): Schema =>
  about(
    'The suspended templates, the reason, the contact and the end.',
    object(
      {
        resourceSelectors: resourceSelectors(selected, { minItems: 1 }),
        suspension: suspension(),
        reason: string('The reason of the suspension, for people: sluice status and explain print it.'),
        owner: string('The contact for questions, for people.'),
        until: time(
          'The time when the suspension ends by itself, for example 2026-12-01T08:00:00Z; absent: when it is removed.',
        ),
      },
      ['resourceSelectors'],
    ),
  );

const status = about(
  'The state of the suspension.',
  object({ conditions: conditions('Suspended: whether the suspension is active. Written when its time is over.') }),
);

interface Reach {
  readonly short: string;
  readonly selected: string;
  readonly description: string;
}

const rollout = (scope: Scope, { short, selected, description }: Reach): CustomResourceDefinition =>
  crd({
    group: 'policy.karmada.io',
    kind: rolloutFamilies[scope].kind,
    plural: rolloutFamilies[scope].plural,
    scope: scope === 'namespace' ? 'Namespaced' : 'Cluster',
    shortNames: [short],
    description,
    columns: [column('OWNER', '.spec.owner'), column('UNTIL', '.spec.until'), column('REASON', '.spec.reason'), age()],
    parts: { spec: spec(selected), status },
  });

/** The rollout policies of both scopes. */
export const rolloutCrds: readonly CustomResourceDefinition[] = [
  rollout('namespace', {
    short: 'rop',
    selected: 'The templates of this namespace to suspend.',
    description:
      'Suspends the dispatching of single templates, besides the policy that propagates them. The stricter of the two counts.',
  }),
  rollout('cluster', {
    short: 'crop',
    selected: 'The templates to suspend, of any namespace or cluster-scoped.',
    description:
      'Suspends the dispatching of single templates, of any namespace or cluster-scoped, besides the policy that propagates them. The strictest suspension of a template counts.',
  }),
];
