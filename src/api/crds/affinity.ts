import type { Schema } from '../schema.ts';
import { about, list, object, string, strings } from './build.ts';
import { labelSelector, requirement } from './kubernetes.ts';

/** The fields that select members; all that are set must match. */
export const affinityParts = {
  labelSelector: labelSelector('Members by their labels.'),
  fieldSelector: about(
    'Members by location: provider, region or zone.',
    object({
      matchExpressions: list(
        'Requirements of fields; all must match. A member with several zones matches In with any of them, NotIn with none.',
        requirement('The field: provider, region or zone.', 'In or NotIn'),
      ),
    }),
  ),
  clusterNames: strings('Members by name. Empty: all members that the other fields select.'),
  exclude: strings('Members that are never selected, by name, whatever the other fields say.'),
};

/** The name of a group of members; groups are told apart by it. */
export const affinityName = (): Schema =>
  string('The name of the group, unique in this policy.', { minLength: 1, maxLength: 32 });

/** Selects members. */
export const clusterAffinity = (description: string): Schema => about(description, object(affinityParts));
