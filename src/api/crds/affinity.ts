import type { Schema } from '../schema.ts';
import { about, list, object, string, strings } from './build.ts';
import { labelSelector, requirement } from './kubernetes.ts';

/** The fields that select members; all that are set must match. */
export const affinityParts = {
  labelSelector: labelSelector('Members by their labels.'),
  fieldSelector: about(
    'Members by where they are: by their provider, region or zone.',
    object({
      matchExpressions: list(
        'Requirements of fields, which all must hold. Of several zones, In wants any of them, NotIn none.',
        requirement('The field: provider, region or zone.', 'In or NotIn'),
      ),
    }),
  ),
  clusterNames: strings('Members by name; empty: all that the other fields select.'),
  exclude: strings('Members by name that are never selected, whatever the other fields say.'),
};

/** The name of a group of members; groups are told apart by it. */
export const affinityName = (): Schema =>
  string('The name of the group, which no other group of this policy has.', { minLength: 1, maxLength: 32 });

/** Selects members. */
export const clusterAffinity = (description: string): Schema => about(description, object(affinityParts));
