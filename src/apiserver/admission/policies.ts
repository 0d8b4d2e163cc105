/**
 * Admission that users configure by objects of `admissionregistration.k8s.io`. A hub without such objects pays one look at an
 * empty table for each write.
 */
import type { KubeObject, ResourceName } from '../../api/index.ts';
import type { Guard } from '../access/guard.ts';
import type { HubParts } from '../call.ts';
import type { Admit } from '../request/admission.ts';
import { judge } from './policy.ts';
import type { AdmissionPolicy, AdmissionPolicyBinding } from './policy.ts';

const group = 'admissionregistration.k8s.io';

/** The objects of a resource by name, as they are now. */
export function followed<Kind extends KubeObject>(
  objects: HubParts['objects'],
  resource: ResourceName,
): ReadonlyMap<string, Kind> {
  const byName = new Map<string, Kind>();
  objects.follow(resource, ({ before, after }) => {
    const { name } = (after ?? before ?? { metadata: { name: '' } }).metadata;
    if (after) byName.set(name, after as Kind);
    else byName.delete(name);
  });
  return byName;
}

/** Holds writes to the ValidatingAdmissionPolicies that are bound. Runs after all plugins that may change the object. */
export function admissionPolicies(parts: Pick<HubParts, 'objects' | 'store' | 'catalog'>, guard: Guard): Admit {
  const allows: Guard['allows'] = (user, attributes) => guard.allows(user, attributes);
  const policies = followed<AdmissionPolicy>(parts.objects, { group, plural: 'validatingadmissionpolicies' });
  const bindings = followed<AdmissionPolicyBinding>(parts.objects, {
    group,
    plural: 'validatingadmissionpolicybindings',
  });
  const bound = (policy: string): AdmissionPolicyBinding[] =>
    [...bindings.values()].filter(({ spec }) => spec.policyName === policy);
  return (review) => {
    if (policies.size === 0 || bindings.size === 0 || review.kind.group === group) return {};
    const asked = { ...parts, bindings: bound, allows };
    return { warnings: judge(policies.values(), review, asked) };
  };
}
