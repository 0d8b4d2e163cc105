import { keyOf, memberOfNamespace, policyApi, refOf } from '../../api/index.ts';
import type { Binding, Cluster, FederatedResourceQuota, KubeObject, View, Work } from '../../api/index.ts';
import { claimOf, reflectsContent, templateOf } from '../claim/index.ts';
import { isSpread } from '../fleet/index.ts';
import { suspensionsOf, isSuspendedOn } from '../suspension/index.ts';
import { bindingIdOf, bindingRefOfWork, neededByKey, quotaOf, workBindingIdOf } from '../match/index.ts';
import { existingClusters } from '../render/targets.ts';
import { isGoing, isKindGoing, isLive } from '../sight.ts';

/**
 * The meaning of the deletion of a Work. `wish`: the object in the member goes too. `slip`: the hub still wants the object,
 * so the Work alone goes and is created again. `wait`: the Work cannot be created again yet, so it stays with its object.
 */
export type Deletion = 'wish' | 'slip' | 'wait';

/** The meaning of the deletion of this Work. It is read from state alone, so a restart gives the same answer. */
export function deletionOf(view: View, work: Work, cluster: Cluster | undefined): Deletion {
  if (isKindGoing(view, 'Work')) return 'wait';
  if (!cluster) return 'wish';
  if (cluster.metadata.deletionTimestamp) return isKindGoing(view, 'Cluster') ? 'wait' : 'wish';
  return deletionIn(view, work);
}

function deletionIn(view: View, work: Work): Deletion {
  const ref = bindingRefOfWork(work);
  if (!ref) return isOfLiveNamespace(view, work) || isOfLiveQuota(view, work) ? 'slip' : 'wish';
  const binding = view.get(keyOf(ref)) as Binding | undefined;
  if (!binding) return isOfLiveTemplate(view, work) ? 'wait' : 'wish';
  return bindingIdOf(binding) === workBindingIdOf(work) ? deletionUnder(view, binding, work) : 'wish';
}

function deletionUnder(view: View, binding: Binding, work: Work): Deletion {
  const template = templateOf(view, binding);
  if (!template || isGoing(view, binding) || !isLive(view, template)) return 'wish';
  const member = memberOfNamespace(work.metadata.namespace) ?? '';
  if (!existingClusters(binding).has(member)) {
    return isSuspendedOn(suspensionsOf(view, binding, template), member) ? 'wait' : 'wish';
  }
  return reflectsContent(binding, template) ? 'slip' : 'wait';
}

/** Tells whether the Work brings a namespace that every member gets. A Work that a user created has no owner. */
function isOfLiveNamespace(view: View, work: Work): boolean {
  const namespace = namedTemplate(view, work);
  const owner = work.metadata.ownerReferences?.find(({ controller }) => controller);
  return namespace !== undefined && isSpread(namespace) && owner?.uid === namespace.metadata.uid;
}

/** Tells whether a FederatedResourceQuota assigns a share to the member of this Work. */
function isOfLiveQuota(view: View, work: Work): boolean {
  const named = quotaOf(work);
  if (!named) return false;
  const key = keyOf({ apiVersion: policyApi, kind: 'FederatedResourceQuota', ...named });
  const quota = view.get(key) as FederatedResourceQuota | undefined;
  if (!quota || quota.metadata.deletionTimestamp) return false;
  const member = memberOfNamespace(work.metadata.namespace);
  return quota.spec.staticAssignments?.some(({ clusterName }) => clusterName === member) === true;
}

/** Tells whether the template of a deleted binding lives: the binding is created again, and then wants this Work. */
function isOfLiveTemplate(view: View, work: Work): boolean {
  const template = namedTemplate(view, work);
  if (!isLive(view, template) || template.metadata.uid !== workBindingIdOf(work)) return false;
  return claimOf(template) !== undefined || view.has(neededByKey(keyOf(refOf(template))));
}

function namedTemplate(view: View, work: Work): KubeObject | undefined {
  const manifest = work.spec.workload.manifests[0];
  return manifest && view.get(keyOf(refOf(manifest)));
}
