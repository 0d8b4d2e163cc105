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
import type { VariableParts } from './variables.ts';
import { mutatingWebhooks, serviceWarnings, validatingWebhooks } from './webhooks.ts';
import type { PostWebhook, WebhookConfiguration } from './webhooks.ts';

const group = 'admissionregistration.k8s.io';

/** The parts of the hub that configured admission needs. */
export interface ConfiguredParts extends Pick<HubParts, 'objects' | 'store' | 'catalog'> {
  readonly guard: Guard;
  /** Absent: webhooks are not called. */
  readonly post: PostWebhook | undefined;
}

/** Plugins that change writes, and plugins that judge them when nothing changes them any more. */
export interface ConfiguredAdmission {
  readonly mutating: readonly Admit[];
  readonly validating: readonly Admit[];
}

/** Follows the configurations and applies those of the moment. */
export function configuredAdmission(parts: ConfiguredParts): ConfiguredAdmission {
  const { objects, guard, post } = parts;
  const asked = { ...parts, allows: ((user, attributes) => guard.allows(user, attributes)) as Guard['allows'] };
  const policies = policyPlugin(asked);
  if (!post) return { mutating: [], validating: [policies] };
  const hooks = (plural: string): (() => readonly WebhookConfiguration[]) => followed(objects, { group, plural });
  return {
    mutating: [
      serviceWarnings,
      mutatingWebhooks({ ...asked, post, configurations: hooks('mutatingwebhookconfigurations') }),
    ],
    validating: [
      policies,
      validatingWebhooks({ ...asked, post, configurations: hooks('validatingwebhookconfigurations') }),
    ],
  };
}

/** The objects of a resource in the order of their names, as they are now. */
function followed(objects: HubParts['objects'], resource: ResourceName): () => readonly KubeObject[] {
  const byName = new Map<string, KubeObject>();
  let sorted: readonly KubeObject[] | undefined;
  objects.follow(resource, ({ before, after }) => {
    const name = (after ?? before)?.metadata.name ?? '';
    if (after) byName.set(name, after);
    else byName.delete(name);
    sorted = undefined;
  });
  return () => (sorted ??= [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object));
}

/** Holds writes to the ValidatingAdmissionPolicies that are bound. */
function policyPlugin(parts: ConfiguredParts & VariableParts): Admit {
  const policies = followed(parts.objects, {
    group,
    plural: 'validatingadmissionpolicies',
  }) as () => readonly AdmissionPolicy[];
  const bindings = followed(parts.objects, {
    group,
    plural: 'validatingadmissionpolicybindings',
  }) as () => readonly AdmissionPolicyBinding[];
  const bound = (policy: string): AdmissionPolicyBinding[] =>
    bindings().filter(({ spec }) => spec.policyName === policy);
  return (review) => {
    if (policies().length === 0 || bindings().length === 0 || review.kind.group === group) return {};
    return { warnings: judge(policies(), review, { ...parts, bindings: bound }) };
  };
}
