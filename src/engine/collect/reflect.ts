import { groupOf } from '../../api/index.ts';
import type { KubeObject, ManifestStatus, Work } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { conditionStatus } from '../conditions.ts';
import { rest } from '../decision.ts';
import type { Action, Decision } from '../decision.ts';
import { isOurs } from '../dispatch/index.ts';
import type { DispatchFacts } from '../dispatch/index.ts';
import { healthyCondition, judgeHealth, withHealth } from './health.ts';
import { withInterpreted } from './interpreted.ts';

/** The action of the collector: it writes status, nothing else. */
export type CollectAction = Action<'report'>;

/** What does the member say about this Work? */
export function decideReflect(facts: DispatchFacts): Decision<CollectAction> {
  const { work, present } = facts;
  if (present === 'unknown') return rest('MemberUnknown');
  if (present === 'absent' || conditionStatus(work.status?.conditions, 'Applied') !== 'True') return rest('UpToDate');
  return isOurs(work, present) ? reflected(facts, present) : rest('AlreadyThere');
}

function reflected(facts: DispatchFacts, present: KubeObject): Decision<CollectAction> {
  const { work, interpreter } = facts;
  const health = interpreter.health(present);
  const status = interpreter.reflectStatus(present);
  const before = work.status?.conditions?.find(({ type }) => type === healthyCondition);
  const { pods, now } = facts;
  const { condition, again } = judgeHealth({ present, health: health.value, pods, before, now });
  const error = health.error ?? status.error;
  const told = interpreted(withHealth(work, condition), error, now);
  const first = manifestStatus(facts.manifest, 0, { status: status.value, health: health.value });
  const manifestStatuses = [first, ...statusesOfOthers(facts)];
  const isSame = told === work && equal(manifestStatuses, work.status?.manifestStatuses);
  const object: Work = { ...told, status: { ...told.status, manifestStatuses } };
  const report: readonly CollectAction[] = isSame ? [] : [{ do: 'report', write: { verb: 'updateStatus', object } }];
  const decision = error === undefined ? collected(report) : failed(report, error);
  return again === undefined ? decision : { ...decision, again };
}

const collected = (actions: readonly CollectAction[]): Decision<CollectAction> => ({
  because: actions.length > 0 ? 'Collected' : 'UpToDate',
  actions,
});

const failed = (actions: readonly CollectAction[], detail: string): Decision<CollectAction> => ({
  because: 'InterpreterFailed',
  actions,
  detail,
});

function interpreted(work: Work, error: string | undefined, now: string): Work {
  const before = work.status?.conditions ?? [];
  const conditions = withInterpreted(before, error, now);
  return conditions === before ? work : { ...work, status: { ...work.status, conditions } };
}

/** The statuses of the other manifests, as far as their objects are in the member. */
function statusesOfOthers({ work, others }: DispatchFacts): readonly ManifestStatus[] {
  return others.flatMap(({ manifest, present, interpreter }, index) => {
    if (typeof present === 'string' || !isOurs(work, present)) return [];
    const status = interpreter.reflectStatus(present).value;
    return [manifestStatus(manifest, index + 1, { status, health: interpreter.health(present).value })];
  });
}

function manifestStatus(
  { apiVersion, kind, metadata }: KubeObject,
  ordinal: number,
  { status, health }: Pick<ManifestStatus, 'status' | 'health'>,
): ManifestStatus {
  const group = groupOf(apiVersion);
  return {
    identifier: {
      ordinal,
      ...(group && { group }),
      version: group ? apiVersion.slice(group.length + 1) : apiVersion,
      kind,
      resource: '',
      ...(metadata.namespace && { namespace: metadata.namespace }),
      name: metadata.name,
    },
    ...(status !== undefined && { status }),
    ...(health && { health }),
  };
}
