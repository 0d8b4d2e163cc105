import type { CustomResourceDefinition } from '../crd.ts';
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
import { failover } from './failover.ts';
import { conditions } from './kubernetes.ts';
import { placement } from './placement.ts';
import { excludedResource, policySelector } from './selector.ts';
import { suspension } from './suspension.ts';

const selectionParts = {
  resourceSelectors: list(
    'The templates that this policy propagates: those that some selector matches.',
    policySelector,
    {
      minItems: 1,
    },
  ),
  excludedResources: list(
    'Takes templates out of what resourceSelectors select: each rule those that match all fields it sets. What is excluded later stays where it runs and may follow another policy.',
    excludedResource,
  ),
  excludeResourceSelectors: list('Superseded, and refused: write excludedResources.', anyObject()),
};

/** Fields that decide which of several policies manages a template, and when it takes effect. */
const claimParts = {
  priority: int32(
    'Of several policies of one scope that select a template that nobody holds, the highest wins; with preemption Always it takes what lower ones hold, too. Default 0; may be negative.',
    { default: 0 },
  ),
  preemption: choice(
    'Always: takes templates over from policies of its scope and lower priority, and a namespaced one from cluster-scoped ones; a cluster-scoped one must then write a name or a namespace in every selector. Never: takes what nobody holds. Default Never.',
    ['Always', 'Never'],
    { default: 'Never' },
  ),
  dependentOverrides: strings(
    'Override policies of the same scope and namespace, by name. Until all exist, this policy places nothing and takes nothing from others.',
  ),
  activationPreference: choice(
    'Lazy: when this policy comes or changes, a template takes it up with its own next change only; suspension does not wait. Empty, the default: at once.',
    ['Lazy', ''],
  ),
};

/** Fields that decide how a managed template is delivered. */
const deliveryParts = {
  association: boolean('Ignored; older clients write it.'),
  propagateDeps: boolean(
    'Whether the ConfigMaps, Secrets and others that a workload refers to go where it goes. Default false; true where a ServiceImport is selected.',
  ),
  placement: placement(),
  schedulerName: string(
    'Who chooses the members. Any other name than the default keeps our scheduler away. Cannot be changed. Default default-scheduler.',
    { default: 'default-scheduler' },
  ),
  failover: failover(),
  conflictResolution: choice(
    'When a member has an object of that name that is not managed: Abort leaves it alone and reports it, Overwrite takes it over. Default Abort.',
    ['Abort', 'Overwrite'],
    { default: 'Abort' },
  ),
  suspension: suspension(),
  preserveResourcesOnDeletion: boolean(
    'Whether members keep the objects, unmanaged, when the template is deleted or no longer goes there. Default false. When the policy alone is deleted they stay anyway.',
  ),
  schedulePriority: about(
    'How urgent the scheduling is. The scheduler does not look at it yet.',
    object(
      {
        priorityClassSource: choice('Where the class is found: KubePriorityClass for a PriorityClass of the hub.', [
          'KubePriorityClass',
        ]),
        priorityClassName: string('The name of the class.'),
      },
      ['priorityClassSource', 'priorityClassName'],
    ),
  ),
};

const propagationSpec = about(
  'Which templates the policy holds, where they go, and when.',
  ruled(object({ ...selectionParts, ...claimParts, ...deliveryParts }, ['resourceSelectors']), {
    rule: '!has(self.excludeResourceSelectors)',
    message: 'excludeResourceSelectors is superseded: write the same rules in excludedResources',
  }),
);

const policyStatus = about(
  'The states of the templates that the policy manages. One template may be pending and suspended.',
  object({
    observedGeneration: int64('The generation of the policy that the status speaks of.'),
    observedResourceVersion: string('The resourceVersion at which this generation was first seen.'),
    templates: integer('How many templates the policy manages.'),
    upToDate: integer('How many of them follow the policy as it stands, have members, and are not suspended.'),
    pending: integer(
      'How many of them wait for their own next change, because the policy is lazy or policies are static.',
    ),
    suspended: integer('How many of them have something that a suspension keeps from a member.'),
    conditions: conditions(
      'What holds of the policy at the moment; ClustersExist: whether its placement finds members.',
    ),
  }),
);

const count = (name: string, path: string): ReturnType<typeof column> => column(name, path, { type: 'integer' });

interface Reach {
  readonly scope: 'Namespaced' | 'Cluster';
  readonly short: string;
  readonly description: string;
}

const policy = (kind: string, plural: string, { scope, short, description }: Reach) =>
  crd({
    group: 'policy.karmada.io',
    kind,
    plural,
    scope,
    shortNames: [short],
    description,
    columns: [
      column('CONFLICT-RESOLUTION', '.spec.conflictResolution'),
      column('PRIORITY', '.spec.priority'),
      count('TEMPLATES', '.status.templates'),
      count('UP-TO-DATE', '.status.upToDate'),
      count('PENDING', '.status.pending'),
      count('SUSPENDED', '.status.suspended'),
      age(),
    ],
    parts: { spec: propagationSpec, status: policyStatus },
  });

/** The propagation policies of both scopes. */
export const propagationCrds: readonly CustomResourceDefinition[] = [
  policy('PropagationPolicy', 'propagationpolicies', {
    scope: 'Namespaced',
    short: 'pp',
    description:
      'Says which templates of its namespace go to which members. Where both select a template that nobody holds it goes before a ClusterPropagationPolicy.',
  }),
  policy('ClusterPropagationPolicy', 'clusterpropagationpolicies', {
    scope: 'Cluster',
    short: 'cpp',
    description:
      'Says which templates, of any namespace or of none, go to which members. Where both select a template that nobody holds a PropagationPolicy goes before it.',
  }),
];
