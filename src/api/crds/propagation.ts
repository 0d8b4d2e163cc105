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
    'Selects the templates that this policy propagates: a template that matches one of the selectors.',
    policySelector,
    {
      minItems: 1,
    },
  ),
  excludedResources: list(
    'Excludes templates that resourceSelectors select: a rule excludes templates that match all of its fields. A template that is excluded later stays where it runs and may be managed by another policy.',
    excludedResource,
  ),
  excludeResourceSelectors: list('Deprecated, and refused: use excludedResources.', anyObject()),
};

/** Fields that decide which of several policies manages a template, and when it takes effect. */
const claimParts = {
  priority: int32(
    'The priority among policies of one scope that select an unmanaged template: the highest wins. With preemption Always it also takes over templates from lower ones. Default 0; may be negative.',
    { default: 0 },
  ),
  preemption: choice(
    'Always: takes templates over from policies of its scope and lower priority, and a namespaced one from cluster-scoped ones; a cluster-scoped one must then write a name or a namespace in every selector. Never: takes unmanaged templates only. Default Never.',
    ['Always', 'Never'],
    { default: 'Never' },
  ),
  dependentOverrides: strings(
    'Override policies of the same scope and namespace, by name. Until all exist, this policy places nothing and takes over nothing from others.',
  ),
  activationPreference: choice(
    'Lazy: a new or changed policy takes effect on a template with the next change of that template; suspension does not wait. Empty, the default: at once.',
    ['Lazy', ''],
  ),
};

/** Fields that decide how a managed template is delivered. */
const deliveryParts = {
  association: boolean('Ignored; older clients write it.'),
  propagateDeps: boolean(
    'Whether the dependencies of a workload (ConfigMaps, Secrets and others) are placed with it. Default false; true where a ServiceImport is selected.',
  ),
  placement: placement(),
  schedulerName: string(
    'The name of the scheduler. With any other name than the default, our scheduler ignores the binding. Cannot be changed. Default default-scheduler.',
    { default: 'default-scheduler' },
  ),
  failover: failover(),
  conflictResolution: choice(
    'The action if a member has an unmanaged object of that name: Abort leaves it alone and reports it, Overwrite takes it over. Default Abort.',
    ['Abort', 'Overwrite'],
    { default: 'Abort' },
  ),
  suspension: suspension(),
  preserveResourcesOnDeletion: boolean(
    'Whether members keep the objects, unmanaged, when the template is deleted or no longer goes there. Default false. When the policy alone is deleted they stay anyway.',
  ),
  schedulePriority: about(
    'The priority of scheduling. While the class does not exist, no binding is made.',
    object(
      {
        priorityClassSource: choice('The source of the class: KubePriorityClass for a PriorityClass of the hub.', [
          'KubePriorityClass',
        ]),
        priorityClassName: string('The name of the class.'),
      },
      ['priorityClassSource', 'priorityClassName'],
    ),
  ),
};

const propagationSpec = about(
  'The templates that the policy manages, their placement, and when it takes effect.',
  ruled(object({ ...selectionParts, ...claimParts, ...deliveryParts }, ['resourceSelectors']), {
    rule: '!has(self.excludeResourceSelectors)',
    message: 'excludeResourceSelectors is superseded: write the same rules in excludedResources',
  }),
);

const policyStatus = about(
  'The states of the templates that the policy manages. One template may be pending and suspended.',
  object({
    observedGeneration: int64('The generation of the policy that the status reflects.'),
    observedResourceVersion: string('The resourceVersion at which this generation was first seen.'),
    templates: integer('The number of templates that the policy manages.'),
    upToDate: integer('The number of them that follow the present policy, have members, and are not suspended.'),
    pending: integer(
      'The number of them that wait for their own next change, because the policy is lazy or policies are static.',
    ),
    suspended: integer('The number of them with changes that a suspension keeps from a member.'),
    conditions: conditions('The conditions of the policy. ClustersExist: whether its placement finds members.'),
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
      'Places templates of its namespace on members. If both select an unmanaged template, it has precedence over a ClusterPropagationPolicy.',
  }),
  policy('ClusterPropagationPolicy', 'clusterpropagationpolicies', {
    scope: 'Cluster',
    short: 'cpp',
    description:
      'Places templates of any namespace, and cluster-scoped ones, on members. If both select an unmanaged template, a PropagationPolicy has precedence.',
  }),
];
