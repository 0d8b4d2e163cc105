import type { CustomResourceDefinition } from '../crd.ts';
import { clusterAffinity } from './affinity.ts';
import type { Schema } from '../schema.ts';
import { about, anything, choice, crd, list, object, string, strings, texts } from './build.ts';
import { resourceSelectors } from './selector.ts';

const operator = (description: string): Schema => choice(description, ['add', 'remove', 'replace']);

const patchOperator = operator('The operation on the path: add, remove or replace.');
const patchValue = about('The value for add and replace: any JSON.', anything());

const plaintext = object(
  {
    path: string('The path in the object as a JSON pointer: /spec/replicas.'),
    operator: patchOperator,
    value: patchValue,
  },
  ['path', 'operator'],
);

const imageOverrider = object(
  {
    predicate: about(
      'Selects the image; absent: all images of the pod template.',
      object({ path: string('The path of the image in the object, as a JSON pointer.') }, ['path']),
    ),
    component: choice('The part of the image’s name that changes: Registry, Repository or Tag.', [
      'Registry',
      'Repository',
      'Tag',
    ]),
    operator: operator('The operation on that part: add, remove or replace.'),
    value: string('The text for add and replace.'),
  },
  ['component', 'operator'],
);

const wordsOverrider = object(
  {
    containerName: string('The name of the container.'),
    operator: choice('Whether words are added at the end or removed: add or remove.', ['add', 'remove']),
    value: strings('The words.'),
  },
  ['containerName', 'operator'],
);

const keysOverrider = object(
  {
    operator: operator('The operation on the keys: add, remove or replace.'),
    value: texts('The keys with their values.'),
  },
  ['operator'],
);

const documentPatch = (description: string): Schema =>
  list(
    description,
    object(
      {
        subPath: string('The path in the document, as a JSON pointer.'),
        operator: patchOperator,
        value: patchValue,
      },
      ['subPath', 'operator'],
    ),
  );

const fieldOverrider = object(
  {
    fieldPath: string('The field with the document, as a JSON pointer: /data/config.json.'),
    json: documentPatch('Changes of a JSON document. Excludes yaml.'),
    yaml: documentPatch('Changes of a YAML document. Excludes json.'),
  },
  ['fieldPath'],
);

const overriders = (description: string): Schema =>
  about(
    description,
    object({
      plaintext: list('Changes of any field of the object, one after the other.', plaintext),
      imageOverrider: list('Changes of the names of images.', imageOverrider),
      commandOverrider: list('Changes of the commands of containers.', wordsOverrider),
      argsOverrider: list('Changes of the arguments of containers.', wordsOverrider),
      labelsOverrider: list('Changes of the labels of the object.', keysOverrider),
      annotationsOverrider: list('Changes of the annotations of the object.', keysOverrider),
      fieldOverrider: list('Changes in a JSON or YAML document inside a text field.', fieldOverrider),
    }),
  );

const overrideSpec = about(
  'The objects, the members and the changes.',
  object({
    resourceSelectors: resourceSelectors('The templates to override; empty: all in scope.'),
    activationPreference: choice(
      'When the policy, or an edit of it, takes effect. Absent: at once. Lazy: on each template when that template changes next, or on request.',
      ['Lazy'],
    ),
    overrideRules: list(
      'The changes and their members.',
      object(
        {
          targetCluster: clusterAffinity('The members that get the changed object; absent: all.'),
          overriders: overriders('The changes.'),
        },
        ['overriders'],
      ),
    ),
    targetCluster: clusterAffinity('Deprecated in favour of overrideRules, and refused beside it.'),
    overriders: overriders('Deprecated in favour of overrideRules, and refused beside it.'),
  }),
);

const override = (kind: string, plural: string, plan: { scope: 'Namespaced' | 'Cluster'; short: string }) =>
  crd({
    group: 'policy.karmada.io',
    kind,
    plural,
    scope: plan.scope,
    shortNames: [plan.short],
    description: 'Changes objects in some members.',
    parts: { spec: overrideSpec },
  });

/** The override policies of both scopes. */
export const overrideCrds: readonly CustomResourceDefinition[] = [
  override('OverridePolicy', 'overridepolicies', { scope: 'Namespaced', short: 'op' }),
  override('ClusterOverridePolicy', 'clusteroverridepolicies', { scope: 'Cluster', short: 'cop' }),
];
