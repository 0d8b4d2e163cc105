import type { CustomResourceDefinition } from '../crd.ts';
import { about, age, column, crd, object, string, time } from './build.ts';
import { resourceSelectors } from './selector.ts';
import { suspension } from './suspension.ts';

const spec = about(
  'What is held, and why, by whom and until when.',
  object(
    {
      resourceSelectors: resourceSelectors('The templates of this namespace that are held.', { minItems: 1 }),
      suspension: suspension(),
      reason: string('Why it is held, for people: sluice status and explain print it.'),
      owner: string('Whom to ask about it, for people.'),
      until: time('When the hold ends by itself, as 2026-12-01T08:00:00Z; absent: when somebody ends it.'),
    },
    ['resourceSelectors'],
  ),
);

/** The RolloutPolicy. */
export const rolloutCrds: readonly CustomResourceDefinition[] = [
  crd({
    group: 'policy.karmada.io',
    kind: 'RolloutPolicy',
    plural: 'rolloutpolicies',
    scope: 'Namespaced',
    shortNames: ['rop'],
    description:
      'Holds what would be sent to members of single templates, beside the policy that propagates them. The stricter of the two counts.',
    columns: [column('OWNER', '.spec.owner'), column('UNTIL', '.spec.until'), column('REASON', '.spec.reason'), age()],
    parts: { spec },
  }),
];
