import type { Schema } from '../schema.ts';
import { about, anyObject, list, object, ruled, string } from './build.ts';
import { labelSelector } from './kubernetes.ts';

const selectorParts = {
  apiVersion: string('The apiVersion of the templates, for example apps/v1.'),
  kind: string('The kind of the templates, for example Deployment.'),
  namespace: string(
    'The namespace of the templates; a namespaced policy fills in its own. A cluster-scoped one takes a comma list of names and prefix*, and empty means any.',
  ),
  name: string('The name of one template; empty: any name. With it labelSelector is not looked at.'),
  labelSelector: labelSelector('Templates by their labels; absent: any labels.'),
};

const resourceSelector = object(selectorParts, ['apiVersion', 'kind']);

/** Selects templates for what stands beside the policies. */
export const resourceSelectors = (description: string, extra: Partial<Schema> = {}): Schema =>
  list(description, resourceSelector, extra);

/**
 * Earlier drafts let a selector carry its own exclusion. The field is known here only so that it is
 * refused with a hint: an unknown field would be pruned, and the policy would take what it was to spare.
 */
export const policySelector = ruled(
  object({ ...selectorParts, exclude: about('Superseded, and refused: write spec.excludedResources.', anyObject()) }, [
    'apiVersion',
    'kind',
  ]),
  { rule: '!has(self.exclude)', message: 'exclude is superseded: write the rule in spec.excludedResources' },
);

/** `namespace` is a word of CEL: as a field it is written between underscores. */
const inCel = (name: string): string => (name === 'namespace' ? '__namespace__' : name);

const ruleParts = {
  apiVersion: string('The apiVersion of what is excluded; empty: any.'),
  kind: string('The kind of what is excluded; empty: any.'),
  namespace: string('The namespaces of what is excluded: a comma list of names and prefix*; empty: any.'),
  name: string('The name of what is excluded; empty: any.'),
  labelSelector: labelSelector('What is excluded by its labels; absent: any labels.'),
};

/** Takes templates out of what the selectors select. */
export const excludedResource = ruled(object(ruleParts), {
  rule: Object.keys(ruleParts)
    .map((name) => `has(self.${inCel(name)})`)
    .join(' || '),
  message: `would exclude everything: set at least one of ${Object.keys(ruleParts).join(', ')}`,
});
