import type { AggregatedStatusItem, Condition, ManifestStatus } from '../../api/index.ts';
import { healthyCondition } from './health.ts';

/** The status of a Work as far as its binding has it. */
export interface ReportedStatus {
  readonly conditions: readonly Condition[];
  readonly manifestStatuses: readonly Pick<ManifestStatus, 'health' | 'status'>[];
}

/**
 * The status of a Work as its binding records it, for callers who may not read Works; undefined while it records
 * nothing.
 */
export function reportedStatus(item: AggregatedStatusItem | undefined, applied = ''): ReportedStatus | undefined {
  if (!item || (!item.applied && !item.appliedMessage)) return undefined;
  const { health, status } = item;
  return {
    conditions: [appliedOf(item, applied), ...troubleOf(item)],
    manifestStatuses: item.applied && health ? [{ health, status }] : [],
  };
}

function appliedOf({ applied, appliedMessage = '' }: AggregatedStatusItem, lastTransitionTime: string): Condition {
  const [status, reason] = applied ? (['True', 'AppliedSuccessful'] as const) : (['False', 'AppliedFailed'] as const);
  return { type: 'Applied', status, reason, message: appliedMessage, lastTransitionTime };
}

function troubleOf({ state, message = '', since = '' }: AggregatedStatusItem): readonly Condition[] {
  if (!state) return [];
  const status = state === 'Unhealthy' ? 'False' : 'Unknown';
  return [{ type: healthyCondition, status, reason: state, message, lastTransitionTime: since }];
}
