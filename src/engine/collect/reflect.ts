import { groupOf } from '../../api/index.ts';
import type { KubeObject, ManifestStatus, Work } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { conditionStatus } from '../conditions.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { isOurs } from '../dispatch/index.ts';
import type { DispatchFacts } from '../dispatch/index.ts';
import { healthOf, reflectStatus } from '../interpret/index.ts';

/** What the collector does: write status, nothing else. */
export type CollectAction = Action<'report'>;

/** What does the member say about this Work? */
export function decideReflect(facts: DispatchFacts): Decision<CollectAction> {
  const { work, present } = facts;
  if (present === 'unknown') return rest('MemberUnknown');
  if (present === 'absent' || conditionStatus(work.status?.conditions, 'Applied') !== 'True') return rest('UpToDate');
  if (!isOurs(work, present)) return rest('AlreadyThere');
  const manifestStatuses = [manifestStatus(facts, present)];
  if (equal(manifestStatuses, work.status?.manifestStatuses)) return rest('UpToDate');
  const object: Work = { ...work, status: { ...work.status, manifestStatuses } };
  return act('Collected', { do: 'report', write: { verb: 'updateStatus', object } });
}

function manifestStatus({ manifest }: DispatchFacts, present: KubeObject): ManifestStatus {
  const { apiVersion, kind, metadata } = manifest;
  const group = groupOf(apiVersion);
  const status = reflectStatus(present);
  return {
    identifier: {
      ordinal: 0,
      ...(group && { group }),
      version: group ? apiVersion.slice(group.length + 1) : apiVersion,
      kind,
      resource: '',
      ...(metadata.namespace && { namespace: metadata.namespace }),
      name: metadata.name,
    },
    ...(status !== undefined && { status }),
    health: healthOf(present),
  };
}
