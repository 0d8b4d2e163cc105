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
    'What is held, and why, by whom and until when.',
    object(
      {
        resourceSelectors: resourceSelectors(selected, { minItems: 1 }),
        suspension: suspension(),
        reason: string('Why it is held, for people: sluice status and explain print it.'),
        owner: string('Whom to ask about it, for people.'),
        until: time('When the hold ends by itself, as 2026-12-01T08:00:00Z; absent: when somebody ends it.'),
      },
      ['resourceSelectors'],
    ),
  );

const status = about(
  'What has become of the hold.',
  object({ conditions: conditions('Held: whether it still counts, once its time has come.') }),
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
    selected: 'The templates of this namespace that are held.',
    description:
      'Holds what would be sent to members of single templates, beside the policy that propagates them. The stricter of the two counts.',
  }),
  rollout('cluster', {
    short: 'crop',
    selected: 'The templates that are held, of any namespace or of none.',
    description:
      'Holds what would be sent to members of single templates, of any namespace or of none, beside the policy that propagates them. The strictest of all that hold a template counts.',
  }),
];
