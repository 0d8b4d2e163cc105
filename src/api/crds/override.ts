import type { CustomResourceDefinition } from '../crd.ts';
import { about, anything, choice, crd, list, map, object, string, strings } from './build.ts';
import { clusterAffinity } from './placement.ts';
import { resourceSelector } from './propagation.ts';

const operator = choice('add', 'remove', 'replace');

const plaintext = object({ path: string(), operator, value: anything() }, ['path', 'operator']);

const imageOverrider = object(
  {
    predicate: object({ path: string() }, ['path']),
    component: choice('Registry', 'Repository', 'Tag'),
    operator,
    value: string(),
  },
  ['component', 'operator'],
);

const commandOverrider = object({ containerName: string(), operator: choice('add', 'remove'), value: strings() }, [
  'containerName',
  'operator',
]);

const labelOverrider = object({ operator, value: map(string()) }, ['operator']);

const fieldPatch = list(object({ subPath: string(), operator, value: anything() }, ['subPath', 'operator']));

const fieldOverrider = object({ fieldPath: string(), json: fieldPatch, yaml: fieldPatch }, ['fieldPath']);

const overriders = object({
  plaintext: about('A JSON patch.', list(plaintext)),
  imageOverrider: list(imageOverrider),
  commandOverrider: list(commandOverrider),
  argsOverrider: list(commandOverrider),
  labelsOverrider: list(labelOverrider),
  annotationsOverrider: list(labelOverrider),
  fieldOverrider: about('Patches a JSON or YAML document that stands in a text field.', list(fieldOverrider)),
});

const overrideSpec = object({
  resourceSelectors: about('The templates to override; empty means all in scope.', list(resourceSelector())),
  overrideRules: list(object({ targetCluster: clusterAffinity(), overriders }, ['overriders'])),
  targetCluster: about('Deprecated: write overrideRules.', clusterAffinity()),
  overriders: about('Deprecated: write overrideRules.', overriders),
});

const override = (kind: string, plural: string, plan: { scope: 'Namespaced' | 'Cluster'; short: string }) =>
  crd({
    group: 'policy.karmada.io',
    kind,
    plural,
    scope: plan.scope,
    shortNames: [plan.short],
    description: 'Says how objects differ from their template in which members.',
    parts: { spec: overrideSpec },
  });

/** The override policies of both scopes. */
export const overrideCrds: readonly CustomResourceDefinition[] = [
  override('OverridePolicy', 'overridepolicies', { scope: 'Namespaced', short: 'op' }),
  override('ClusterOverridePolicy', 'clusteroverridepolicies', { scope: 'Cluster', short: 'cop' }),
];
