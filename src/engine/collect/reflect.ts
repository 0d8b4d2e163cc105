import { groupOf } from '../../api/index.ts';
import type { KubeObject, ManifestStatus, Work } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { conditionStatus } from '../conditions.ts';
import { act, rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { isOurs } from '../dispatch/index.ts';
import type { DispatchFacts } from '../dispatch/index.ts';
import { healthOf, reflectStatus } from '../interpret/index.ts';
import { healthyCondition, judgeHealth, withHealth } from './health.ts';

/** What the collector does: write status, nothing else. */
export type CollectAction = Action<'report'>;

/** What does the member say about this Work? */
export function decideReflect(facts: DispatchFacts): Decision<CollectAction> {
  const { work, present } = facts;
  if (present === 'unknown') return rest('MemberUnknown');
  if (present === 'absent' || conditionStatus(work.status?.conditions, 'Applied') !== 'True') return rest('UpToDate');
  return isOurs(work, present) ? reflected(facts, present) : rest('AlreadyThere');
}

function reflected(facts: DispatchFacts, present: KubeObject): Decision<CollectAction> {
  const { work } = facts;
  const before = work.status?.conditions?.find(({ type }) => type === healthyCondition);
  const { condition, again } = judgeHealth({ present, pods: facts.pods, before, now: facts.now });
  const told = withHealth(work, condition);
  const manifestStatuses = [manifestStatus(facts, present)];
  const isSame = told === work && equal(manifestStatuses, work.status?.manifestStatuses);
  const object: Work = { ...told, status: { ...told.status, manifestStatuses } };
  const decision = isSame
    ? rest('UpToDate')
    : act('Collected', { do: 'report' as const, write: { verb: 'updateStatus' as const, object } });
  return again === undefined ? decision : { ...decision, again };
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
