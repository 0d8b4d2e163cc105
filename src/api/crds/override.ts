import type { CustomResourceDefinition } from '../crd.ts';
import { clusterAffinity } from './affinity.ts';
import type { Schema } from '../schema.ts';
import { about, anything, choice, crd, list, object, string, strings, texts } from './build.ts';
import { resourceSelectors } from './selector.ts';

const operator = (description: string): Schema => choice(description, ['add', 'remove', 'replace']);

const patchOperator = operator('What is to happen at the path: add, remove or replace.');
const patchValue = about('The value for add and replace: any JSON.', anything());

const plaintext = object(
  {
    path: string('Where in the object, as a JSON pointer: /spec/replicas.'),
    operator: patchOperator,
    value: patchValue,
  },
  ['path', 'operator'],
);

const imageOverrider = object(
  {
    predicate: about(
      'Which image is meant; absent: all images of the pod template.',
      object({ path: string('Where the image stands in the object, as a JSON pointer.') }, ['path']),
    ),
    component: choice('The part of the image’s name that changes: Registry, Repository or Tag.', [
      'Registry',
      'Repository',
      'Tag',
    ]),
    operator: operator('What is to happen to that part: add, remove or replace.'),
    value: string('The text for add and replace.'),
  },
  ['component', 'operator'],
);

const wordsOverrider = object(
  {
    containerName: string('The container that is meant.'),
    operator: choice('Whether words are added at the end or removed: add or remove.', ['add', 'remove']),
    value: strings('The words.'),
  },
  ['containerName', 'operator'],
);

const keysOverrider = object(
  {
    operator: operator('What is to happen to the keys: add, remove or replace.'),
    value: texts('The keys with their values.'),
  },
  ['operator'],
);

const documentPatch = (description: string): Schema =>
  list(
    description,
    object(
      {
        subPath: string('Where in the document, as a JSON pointer.'),
        operator: patchOperator,
        value: patchValue,
      },
      ['subPath', 'operator'],
    ),
  );

const fieldOverrider = object(
  {
    fieldPath: string('The field that holds the document, as a JSON pointer: /data/config.json.'),
    json: documentPatch('Changes of a JSON document. Excludes yaml.'),
    yaml: documentPatch('Changes of a YAML document. Excludes json.'),
  },
  ['fieldPath'],
);

const overriders = (description: string): Schema =>
  about(
    description,
    object({
      plaintext: list('Changes at any place of the object, one after the other.', plaintext),
      imageOverrider: list('Changes of the names of images.', imageOverrider),
      commandOverrider: list('Changes of the commands of containers.', wordsOverrider),
      argsOverrider: list('Changes of the arguments of containers.', wordsOverrider),
      labelsOverrider: list('Changes of the labels of the object.', keysOverrider),
      annotationsOverrider: list('Changes of the annotations of the object.', keysOverrider),
      fieldOverrider: list('Changes in a JSON or YAML document that stands in a text field.', fieldOverrider),
    }),
  );

const overrideSpec = about(
  'Which objects are to differ in which members, and how.',
  object({
    resourceSelectors: resourceSelectors('The templates to override; empty: all in scope.'),
    overrideRules: list(
      'The changes, and for which members they are.',
      object(
        {
          targetCluster: clusterAffinity('The members that get the changed object; absent: all.'),
          overriders: overriders('What is to change.'),
        },
        ['overriders'],
      ),
    ),
    targetCluster: clusterAffinity('Superseded by overrideRules, and refused beside it.'),
    overriders: overriders('Superseded by overrideRules, and refused beside it.'),
  }),
);

const override = (kind: string, plural: string, plan: { scope: 'Namespaced' | 'Cluster'; short: string }) =>
  crd({
    group: 'policy.karmada.io',
    kind,
    plural,
    scope: plan.scope,
    shortNames: [plan.short],
    description:
      'Says how objects are to differ from their template in some members. Checked and kept, and policies may wait for it (dependentOverrides); the changes themselves are not made yet.',
    parts: { spec: overrideSpec },
  });

/** The override policies of both scopes. */
export const overrideCrds: readonly CustomResourceDefinition[] = [
  override('OverridePolicy', 'overridepolicies', { scope: 'Namespaced', short: 'op' }),
  override('ClusterOverridePolicy', 'clusteroverridepolicies', { scope: 'Cluster', short: 'cop' }),
];
