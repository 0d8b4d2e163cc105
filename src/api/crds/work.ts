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
  choice('How the object is: Healthy, Unhealthy, or Unknown where it cannot be told.', [
    'Healthy',
    'Unhealthy',
    'Unknown',
  ]);

const identifier = object(
  {
    ordinal: integer('The place of the object in spec.workload.manifests, from 0.'),
    group: string('The API group of the object; empty for core kinds.'),
    version: string('The API version of the object, as v1.'),
    kind: string('The kind of the object.'),
    resource: string('The plural name of the kind; may be empty.'),
    namespace: string('The namespace of the object; empty where its kind has none.'),
    name: string('The name of the object.'),
  },
  ['ordinal', 'kind', 'name', 'resource', 'version'],
);

const spec = about(
  'What is to stand in the member, and whether it may be sent.',
  object(
    {
      workload: about(
        'What is to stand in the member.',
        object(
          {
            manifests: list(
              'The object as it is to stand there; of several the first is sent. Fields that belong to the member keep what it has.',
              anyObject({ 'x-kubernetes-embedded-resource': true }),
            ),
          },
          ['manifests'],
        ),
      ),
      suspendDispatching: boolean(
        'Whether nothing is sent to the member for now; set from the suspension of policies. Default false. Deleting this Work still goes through.',
      ),
      preserveResourcesOnDeletion: boolean(
        'Whether the member keeps the object, unmanaged, when this Work is deleted. Default false.',
      ),
    },
    ['workload'],
  ),
);

const status = about(
  'What the member made of it.',
  object({
    conditions: conditions(
      'What holds of this Work. Applied: the member has it as written. Dispatching: its reason tells whether it is sent or suspended. Healthy, only while the object is not healthy: Unknown inside its deadline, False past it or when it failed.',
    ),
    manifestStatuses: list(
      'What the member says of each object.',
      object(
        {
          identifier: about('Which object this is about.', identifier),
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
    description: 'What is to stand in one member, rendered from a template. Its namespace tells which member.',
    columns: [
      column('WORKLOAD-KIND', '.spec.workload.manifests[*].kind'),
      conditionColumn('APPLIED', 'Applied'),
      age(),
    ],
    parts: { spec, status },
  }),
];
