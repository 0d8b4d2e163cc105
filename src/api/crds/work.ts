import type { CustomResourceDefinition } from '../crd.ts';
import {
  about,
  age,
  anyObject,
  boolean,
  choice,
  column,
  conditionColumn,
  crd,
  integer,
  list,
  object,
  string,
} from './build.ts';
import type { Schema } from '../schema.ts';
import { conditions } from './kubernetes.ts';

/** How an object in a member is, as far as its kind is known. */
export const health = (): Schema =>
  choice('The health of the object: Healthy, Unhealthy or Unknown.', ['Healthy', 'Unhealthy', 'Unknown']);

const identifier = object(
  {
    ordinal: integer('The index of the object in spec.workload.manifests, from 0.'),
    group: string('The API group of the object; empty for core kinds.'),
    version: string('The API version of the object, for example v1.'),
    kind: string('The kind of the object.'),
    resource: string('The plural name of the kind; may be empty.'),
    namespace: string('The namespace of the object; empty for cluster-scoped kinds.'),
    name: string('The name of the object.'),
  },
  ['ordinal', 'kind', 'name', 'resource', 'version'],
);

const spec = about(
  'The manifest for the member, and whether dispatching is suspended.',
  object(
    {
      workload: about(
        'The manifest for the member.',
        object(
          {
            manifests: list(
              'The object to be sent. Fields that belong to the member keep its values.',
              anyObject({ 'x-kubernetes-embedded-resource': true }),
            ),
          },
          ['manifests'],
        ),
      ),
      suspendDispatching: boolean(
        'Whether dispatching is suspended; set from the suspension of policies. Default false. The deletion of this Work is not suspended.',
      ),
      preserveResourcesOnDeletion: boolean(
        'Whether the member keeps the object, unmanaged, when this Work is deleted. Default false.',
      ),
    },
    ['workload'],
  ),
);

const status = about(
  'The status in the member.',
  object({
    conditions: conditions(
      'The conditions of this Work. Applied: the member has it as written. Dispatching: its reason tells whether it is sent or suspended. Healthy, only while the object is not healthy: Unknown inside its deadline, False past it or when it failed.',
    ),
    manifestStatuses: list(
      'The status of each object in the member.',
      object(
        {
          identifier: about('The object of this entry.', identifier),
          status: about('The part of its status that is collected.', anyObject()),
          health: health(),
        },
        ['identifier'],
      ),
    ),
  }),
);

/** Work. */
export const workCrds: readonly CustomResourceDefinition[] = [
  crd({
    group: 'work.karmada.io',
    kind: 'Work',
    plural: 'works',
    scope: 'Namespaced',
    shortNames: ['wk'],
    description: 'The manifest for one member, rendered from a template. The namespace of the Work names the member.',
    columns: [
      column('WORKLOAD-KIND', '.spec.workload.manifests[*].kind'),
      conditionColumn('APPLIED', 'Applied'),
      age(),
    ],
    parts: { spec, status },
  }),
];
