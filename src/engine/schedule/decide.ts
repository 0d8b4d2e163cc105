import { affinityGroupAnnotation, appliedPlacementAnnotation, rescheduledAnnotation } from '../../api/index.ts';
import type { Binding, BindingSpec, Placement, TargetCluster } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { act, rest } from '../decision.ts';
import type { Decision } from '../decision.ts';
import type { Reason } from '../reasons.ts';
import { soonAfter } from '../times.ts';
import { assignedReplicas, isDue, isPlacedInFull, notOurs, whyFrozen } from './due.ts';
import { isRescheduleAsked } from './facts.ts';
import type { ScheduleAction, ScheduleFacts } from './facts.ts';
import { tasksFor } from './moves.ts';
import { outcomeOf } from './outcome.ts';
import type { Failed, Placed } from './outcome.ts';
import { placementText } from './placement.ts';
import { reportedFailed, reportedPlaced } from './status.ts';

/** Which clusters, how many replicas each? */
export function decideSchedule(facts: ScheduleFacts): Decision<ScheduleAction> {
  const { binding } = facts;
  const alone = notOurs(binding);
  const { placement } = binding.spec;
  if (alone || !placement) return rest(alone ?? 'NoPlacement');
  if (facts.isFleetGoing) return rest('KindGoing');

  if (!isDue(facts, placement)) return confirm(facts, whyFrozen(binding) ?? 'AlreadyScheduled');
  const outcome = outcomeOf(facts, placement);
  if ('because' in outcome) return decideFailed(facts, outcome);

  if (isPlacedSo(binding, placement, outcome)) return confirm(facts, 'AlreadyScheduled');
  return placeIfAllowed(facts, placement, outcome);
}

/** Places the workload, unless that takes more than a quota of its namespace leaves. */
function placeIfAllowed(facts: ScheduleFacts, placement: Placement, outcome: Placed): Decision<ScheduleAction> {
  const object = placed(facts, placement, outcome);
  const excess = facts.excess?.(object);
  if (excess) return decideFailed(facts, { because: 'QuotaExceeded', detail: excess });
  const action = { do: 'place', write: { verb: 'update', object } } as const;
  return { ...act('Scheduled', action), detail: targetsText(outcome.targets) };
}

/**
 * Removes from all clusters a workload that no cluster may have; a workload that merely cannot be placed as wished
 * stays where it is.
 */
function decideFailed(facts: ScheduleFacts, failed: Failed): Decision<ScheduleAction> {
  const { binding, now } = facts;
  const { because, detail } = failed;
  if (because === 'NoClusterFits' && binding.spec.clusters?.length) {
    const emptied: Binding = { ...binding, spec: specOn(facts, []) };
    return { ...act(because, { do: 'place' as const, write: { verb: 'update', object: emptied } }), detail };
  }
  const reported = reportedFailed(binding, failed, now);
  const decision = reported ? { ...act(because, report(reported)), detail } : rest(because, detail);
  return failed.lacksCapacity ? { ...decision, again: soonAfter(now) } : decision;
}

/**
 * A schedule that is complete is reported once; one that never was made has nothing to report. A binding that keeps its
 * clusters before all its replicas found a place is not scheduled, and says so.
 */
function confirm({ binding, now }: ScheduleFacts, because: Reason): Decision<ScheduleAction> {
  if (!binding.spec.clusters?.length) return rest(because);
  if (isConfirmed(binding)) return rest(because);
  const reported = isPlacedInFull(binding)
    ? reportedPlaced(binding, now)
    : reportedFailed(binding, keptShort(binding), now);
  return reported ? act(because, report(reported)) : rest(because);
}

function keptShort(binding: Binding): Failed {
  const placed = `${assignedReplicas(binding)} of ${binding.spec.replicas} replicas have a cluster`;
  return { because: 'SchedulingFailed', detail: `${placed}; the policy that placed them does not manage it any more` };
}

/** Tells whether the status has the report that this generation of the binding is placed: then there is nothing to confirm. */
export function isConfirmed(binding: Binding): boolean {
  return isReported(binding) && isPlacedInFull(binding);
}

function isReported({ metadata, status }: Binding): boolean {
  if (!status || status.schedulerObservedGeneration !== metadata.generation) return false;
  if (status.schedulerObservingAffinityName !== metadata.annotations?.[affinityGroupAnnotation]) return false;
  return status.conditions?.some(({ type, status: state }) => type === 'Scheduled' && state === 'True') === true;
}

function isPlacedSo(binding: Binding, placement: Placement, { targets, group }: Placed): boolean {
  return (
    isSameTargets(binding.spec.clusters ?? [], targets) &&
    binding.metadata.annotations?.[appliedPlacementAnnotation] === placementText(placement) &&
    binding.metadata.annotations[affinityGroupAnnotation] === group.affinityName &&
    !isRescheduleAsked(binding)
  );
}

/** Order is not content: a list that another scheduler wrote by rank is left as it is. */
function isSameTargets(present: readonly TargetCluster[], wanted: readonly TargetCluster[]): boolean {
  if (present.length !== wanted.length) return false;
  return wanted.every((target, i) => {
    const at = present[i];
    const same = at?.name === target.name ? at : present.find(({ name }) => name === target.name);
    if (!same || (same.replicas ?? 0) !== (target.replicas ?? 0)) return false;
    return target.components === undefined || equal(same.components, target.components);
  });
}

/** Clusters and the record of why they were chosen are one write, so that a crash cannot part them. */
function placed(facts: ScheduleFacts, placement: Placement, { targets, group }: Placed): Binding {
  const { binding } = facts;
  const {
    [affinityGroupAnnotation]: _group,
    [rescheduledAnnotation]: _rescheduled,
    ...others
  } = binding.metadata.annotations ?? {};
  const annotations = {
    ...others,
    [appliedPlacementAnnotation]: placementText(placement),
    ...(group.affinityName && { [affinityGroupAnnotation]: group.affinityName }),
    ...(binding.spec.rescheduleTriggeredAt && { [rescheduledAnnotation]: binding.spec.rescheduleTriggeredAt }),
  };
  return { ...binding, metadata: { ...binding.metadata, annotations }, spec: specOn(facts, targets) };
}

/** The clusters and the copies that stay elsewhere until these are healthy: one write, so that a crash loses no copy. */
function specOn(facts: ScheduleFacts, targets: readonly TargetCluster[]): BindingSpec {
  const { gracefulEvictionTasks: _, ...spec } = facts.binding.spec;
  const tasks = tasksFor(facts, targets);
  return { ...spec, clusters: targets, ...(tasks && { gracefulEvictionTasks: tasks }) };
}

function report(object: Binding): ScheduleAction {
  return { do: 'report', write: { verb: 'updateStatus', object } };
}

const texts = new WeakMap<readonly TargetCluster[], string>();

/** `member1:2, member2:1`; written once for all bindings that go to the same clusters. */
function targetsText(targets: readonly TargetCluster[]): string {
  let text = texts.get(targets);
  if (text === undefined) {
    const parts = targets.map(({ name, replicas }) => (replicas ? `${name}:${replicas}` : name));
    texts.set(targets, (text = parts.join(', ')));
  }
  return text;
}
