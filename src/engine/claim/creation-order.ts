import { builtinCatalog } from '../../api/index.ts';
import type { KubeObject, Policy } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';

/**
 * Tells which came last: a template without any record, or the policy. After a crash this must be read from the two
 * objects alone. If in doubt, the answer is "the policy", so that a lazy policy waits, which is the safe answer.
 */
export function templateCameLast(template: KubeObject, policy: Policy): boolean {
  const created = compareTimes(template.metadata.creationTimestamp, policy.metadata.creationTimestamp);
  if (created > 0 && policy.metadata.generation === 1) return true;
  if (mayStatusBeNewer(template)) return false;
  return wasWrittenAfter(template, policy);
}

/** Tells whether the template was written after the policy, by any writer. */
export function wasWrittenAfter(template: KubeObject, policy: Policy): boolean {
  return Number(template.metadata.resourceVersion) > specVersionOf(policy);
}

/**
 * The resourceVersion at which the policy came to say what it says. Its status is ours and is written later: so the
 * status keeps the version at which it first saw this generation.
 */
export function specVersionOf({ metadata, status }: Policy): number {
  const current = Number(metadata.resourceVersion);
  const seen = Number(status?.observedResourceVersion);
  return status?.observedGeneration === metadata.generation && seen < current ? seen : current;
}

/**
 * Tells whether the status may have been written after the user's change, so that the resourceVersion does not date
 * that change. Kinds whose status is written apart say who did; a status that a server gives when it creates the object
 * is nobody's.
 */
function mayStatusBeNewer(template: KubeObject): boolean {
  if (!hasStatus(template)) return false;
  const writes = (template.metadata.managedFields ?? []) as readonly { readonly subresource?: string }[];
  const isWrittenApart = builtinCatalog().byKind(template.apiVersion, template.kind)?.status === true;
  return !isWrittenApart || writes.length === 0 || writes.some(({ subresource }) => subresource === 'status');
}

function hasStatus(template: KubeObject): boolean {
  const { status } = template as KubeObject & { readonly status?: unknown };
  return isObject(status) && Object.keys(status).length > 0;
}

function compareTimes(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined || a === b) return 0;
  return Date.parse(a) - Date.parse(b);
}
