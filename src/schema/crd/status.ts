import type { Condition, CustomResourceDefinition } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { defaultedCrd, withStoredVersions } from './defaults.ts';
import { namesVerdict } from './names.ts';

/** Keeps a definition until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

type CrdCondition = Omit<Condition, 'lastTransitionTime'>;

/** Tells whether the objects of this definition are served. */
export function isEstablished(crd: CustomResourceDefinition): boolean {
  return hasCondition(crd, 'Established');
}

/** Tells whether this condition exists and is true. */
export function hasCondition(crd: CustomResourceDefinition, type: string): boolean {
  return crd.status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
}

/** The definition with the status that it should have among the others; the very object when it has it. */
export function withStatus(
  crd: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
  now: string,
): CustomResourceDefinition {
  const { accepted, conflict } = namesVerdict(defaultedCrd(crd), others);
  const named: CrdCondition = conflict
    ? { type: 'NamesAccepted', status: 'False', ...conflict }
    : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  const wanted = [named, ...establishment(crd, conflict !== undefined)];
  const conditions = wanted.reduce((all, one) => withCondition(all, one, now), crd.status?.conditions ?? []);
  const { status } = withStoredVersions(crd);
  const next = { ...status, acceptedNames: accepted, conditions };
  return equal(next, crd.status) ? crd : { ...crd, status: next };
}

/** Once established, a definition stays so, whatever names it asks for later. */
function establishment(crd: CustomResourceDefinition, refused: boolean): readonly CrdCondition[] {
  if (isEstablished(crd)) return [];
  if (refused) {
    const message = 'not all names are accepted';
    return [{ type: 'Established', status: 'False', reason: 'NotAccepted', message }];
  }
  const message = 'the initial names have been accepted';
  return [{ type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message }];
}

/** Conditions with one set; the time moves only when its status changes. */
export function withCondition(
  conditions: readonly Condition[],
  wanted: CrdCondition,
  now: string,
): readonly Condition[] {
  const before = conditions.find((one) => one.type === wanted.type);
  const since = before?.status === wanted.status ? before.lastTransitionTime : now;
  const set: Condition = { ...wanted, lastTransitionTime: since };
  return before ? conditions.map((one) => (one === before ? set : one)) : [...conditions, set];
}

/** The definition after the first request to delete it: it waits until its objects are deleted. */
export function withDeletionBegun(crd: CustomResourceDefinition, now: string): CustomResourceDefinition {
  const finalizers = crd.metadata.finalizers ?? [];
  const terminating: CrdCondition = {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  return {
    ...crd,
    metadata: {
      ...crd.metadata,
      finalizers: finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer],
    },
    status: { ...crd.status, conditions: withCondition(crd.status?.conditions ?? [], terminating, now) },
  };
}
