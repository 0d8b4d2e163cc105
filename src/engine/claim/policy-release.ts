import { policyFamilies, scopeOf } from '../../api/index.ts';
import type { Policy, View } from '../../api/index.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { managedByKey } from '../match/index.ts';
import { policyIdOf } from './records.ts';

/** The actions about a policy that is being deleted. */
export type PolicyAction = Action<'finalize'>;

/** A policy, and whether a template still has its claim. */
export interface PolicyReleaseFacts {
  readonly policy: Policy;
  readonly isManaging: boolean;
}

/** Gathers the facts; undefined when the policy is gone. */
export function gatherPolicyRelease(view: View, key: string): PolicyReleaseFacts | undefined {
  const policy = view.get(key) as Policy | undefined;
  if (!policy) return undefined;
  const id = policyIdOf(policy);
  return { policy, isManaging: id !== undefined && view.has(managedByKey(id)) };
}

/** Releases a policy that is being deleted once the last template that it managed has been released. */
export function decidePolicyRelease({ policy, isManaging }: PolicyReleaseFacts): Decision<PolicyAction> {
  if (!policy.metadata.deletionTimestamp) return rest('UpToDate');
  const { finalizer } = policyFamilies[scopeOf(policy)];
  if (isManaging || !policy.metadata.finalizers?.includes(finalizer)) return rest('PolicyDeleting');
  const finalizers = policy.metadata.finalizers.filter((name) => name !== finalizer);
  const object = { ...policy, metadata: { ...policy.metadata, finalizers } };
  return act('PolicyDeleting', { do: 'finalize', write: { verb: 'update', object } });
}
