import type { CustomResourceDefinition } from '../crd.ts';
import type { Schema } from '../schema.ts';
import {
  about,
  age,
  anyObject,
  boolean,
  choice,
  column,
  crd,
  int32,
  int64,
  integer,
  list,
  object,
  ruled,
  string,
  strings,
} from './build.ts';
import { conditions, labelSelector } from './kubernetes.ts';
import { failover, placement, suspension } from './placement.ts';

const group = 'policy.karmada.io';

const selectorParts = {
  apiVersion: string(),
  kind: string(),
  namespace: string(),
  name: string(),
  labelSelector: labelSelector(),
};

/** Selects templates. */
export const resourceSelector = (): Schema => object(selectorParts, ['apiVersion', 'kind']);

/**
 * Earlier drafts let a selector carry its own exclusion. The field is known here only so that it is
 * refused with a hint: an unknown field would be pruned, and the policy would take what it was to spare.
 */
const policySelector = ruled(
  object({ ...selectorParts, exclude: about('Superseded by spec.excludedResources.', anyObject()) }, [
    'apiVersion',
    'kind',
  ]),
  { rule: '!has(self.exclude)', message: 'exclude is superseded: write the rule in spec.excludedResources' },
);

/** `namespace` is a word of CEL: as a field it is written between underscores. */
const inCel = (name: string): string => (name === 'namespace' ? '__namespace__' : name);

const excludedResource = ruled(object(selectorParts), {
  rule: Object.keys(selectorParts)
    .map((name) => `has(self.${inCel(name)})`)
    .join(' || '),
  message: `would exclude everything: set at least one of ${Object.keys(selectorParts).join(', ')}`,
});

const schedulePriority = object({ priorityClassSource: choice('KubePriorityClass'), priorityClassName: string() }, [
  'priorityClassSource',
  'priorityClassName',
]);

const propagationSpec = ruled(
  object(
    {
      resourceSelectors: about('The templates that this policy propagates.', list(policySelector, { minItems: 1 })),
      excludedResources: about(
        'Takes templates out of what resourceSelectors select: any rule of which all set fields match.',
        list(excludedResource),
      ),
      excludeResourceSelectors: about('Superseded by excludedResources.', list(anyObject())),
      association: about('Ignored.', boolean()),
      propagateDeps: about('Whether what the templates refer to goes along.', boolean()),
      placement: placement(),
      priority: about('Among policies of one scope that match, the highest wins.', int32({ default: 0 })),
      preemption: about('Whether this policy takes over templates that lower policies hold.', {
        ...choice('Always', 'Never'),
        default: 'Never',
      }),
      dependentOverrides: about('Override policies that must exist before this one is applied.', strings()),
      schedulerName: string({ default: 'default-scheduler' }),
      failover: failover(),
      conflictResolution: about('What to do when a member has the object already.', {
        ...choice('Abort', 'Overwrite'),
        default: 'Abort',
      }),
      activationPreference: about(
        'Lazy: a change of the policy waits until the template itself changes. Empty: it acts at once.',
        choice('Lazy', ''),
      ),
      suspension: suspension(),
      preserveResourcesOnDeletion: about('Whether members keep the objects when the template is deleted.', boolean()),
      schedulePriority,
    },
    ['resourceSelectors'],
  ),
  {
    rule: '!has(self.excludeResourceSelectors)',
    message: 'excludeResourceSelectors is superseded: write the same rules in excludedResources',
  },
);

const policyStatus = object({
  observedGeneration: int64(),
  observedResourceVersion: about('The resourceVersion at which this generation was first seen.', string()),
  templates: about('How many templates the policy holds.', integer()),
  upToDate: about('How many of them follow the policy as it stands, and are sent.', integer()),
  pending: about('How many wait for their own next change.', integer()),
  held: about('How many a suspension holds.', integer()),
  conditions: conditions(),
});

const count = (name: string, path: string): ReturnType<typeof column> => column(name, path, { type: 'integer' });

const policy = (kind: string, plural: string, plan: { scope: 'Namespaced' | 'Cluster'; short: string }) =>
  crd({
    group,
    kind,
    plural,
    scope: plan.scope,
    shortNames: [plan.short],
    description: 'Says which templates go to which members.',
    columns: [
      column('CONFLICT-RESOLUTION', '.spec.conflictResolution'),
      column('PRIORITY', '.spec.priority'),
      count('TEMPLATES', '.status.templates'),
      count('UP-TO-DATE', '.status.upToDate'),
      count('PENDING', '.status.pending'),
      count('HELD', '.status.held'),
      age(),
    ],
    parts: { spec: propagationSpec, status: policyStatus },
  });

const rolloutPolicy = crd({
  group,
  kind: 'RolloutPolicy',
  plural: 'rolloutpolicies',
  scope: 'Namespaced',
  shortNames: ['rop'],
  description: 'Holds what would be sent to members of single templates, beside the policy that propagates them.',
  columns: [column('OWNER', '.spec.owner'), column('UNTIL', '.spec.until'), column('REASON', '.spec.reason'), age()],
  parts: {
    spec: object(
      {
        resourceSelectors: about('The templates that are held.', list(resourceSelector(), { minItems: 1 })),
        suspension: suspension(),
        reason: about('Why, for people.', string()),
        owner: about('Whom to ask, for people.', string()),
        until: about('When the hold ends by itself.', string({ format: 'date-time' })),
      },
      ['resourceSelectors'],
    ),
  },
});

/** The propagation policies of both scopes, and the RolloutPolicy. */
export const propagationCrds: readonly CustomResourceDefinition[] = [
  policy('PropagationPolicy', 'propagationpolicies', { scope: 'Namespaced', short: 'pp' }),
  policy('ClusterPropagationPolicy', 'clusterpropagationpolicies', { scope: 'Cluster', short: 'cpp' }),
  rolloutPolicy,
];
