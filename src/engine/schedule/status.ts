import { affinityGroupAnnotation } from '../../api/index.ts';
import type { Binding, BindingStatus, Condition } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { withCondition } from '../conditions.ts';
import type { Failed } from './outcome.ts';

/** The condition's reasons are those of Karmada's API, which scripts look for; its message says what we know beyond. */
const conditionReasons = {
  NoClusterFits: 'NoClusterFit',
  SchedulingFailed: 'Unschedulable',
  QuotaExceeded: 'QuotaExceeded',
} as const;

/** The binding with the status of a complete schedule; undefined when it has that status already. */
export function reportedPlaced(binding: Binding, now: string): Binding | undefined {
  const { schedulerObservingAffinityName: _, ...status } = binding.status ?? {};
  const { generation, annotations } = binding.metadata;
  const group = annotations?.[affinityGroupAnnotation];
  const message = 'Binding has been scheduled successfully.';
  const wanted = {
    ...withScheduled(status, { status: 'True', reason: 'Success', message }, now),
    ...(generation !== undefined && { schedulerObservedGeneration: generation }),
    ...(group && { schedulerObservingAffinityName: group }),
  };
  if (equal(wanted, binding.status)) return undefined;
  return { ...binding, status: { ...wanted, lastScheduledTime: now } };
}

/** The binding with the status of a schedule that failed: the observed generation stays where it succeeded last. */
export function reportedFailed(binding: Binding, failed: Failed, now: string): Binding | undefined {
  const reason = conditionReasons[failed.because];
  const status = withScheduled(binding.status ?? {}, { status: 'False', reason, message: failed.detail }, now);
  return status === binding.status ? undefined : { ...binding, status };
}

type Scheduled = Pick<Condition, 'status' | 'reason' | 'message'>;

/** The very same status when the condition says so already. */
function withScheduled(status: BindingStatus, wanted: Scheduled, now: string): BindingStatus {
  const conditions = withCondition(status.conditions, { type: 'Scheduled', ...wanted }, now);
  return conditions === status.conditions ? status : { ...status, conditions };
}
