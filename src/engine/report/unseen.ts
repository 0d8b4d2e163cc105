import type { AggregatedStatusItem, Binding } from '../../api/index.ts';
import { healthyCondition } from '../collect/index.ts';
import type { WorkReport } from '../collect/index.ts';
import { isSuspendedOn } from '../suspension/index.ts';
import type { Suspensions } from '../suspension/index.ts';

/** The report of a Work that the caller may not see, as far as its binding has it. */
export function unseenWork(cluster: string, binding: Binding | undefined, brakes: Suspensions): WorkReport {
  const suspendDispatching = isSuspendedOn(brakes, cluster);
  const item = binding?.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
  return { metadata: {}, spec: { suspendDispatching }, ...(item && { status: statusOf(item) }) };
}

function statusOf(item: AggregatedStatusItem): NonNullable<WorkReport['status']> {
  const { applied, appliedMessage = '', health, status } = item;
  const lastTransitionTime = '';
  const delivered =
    applied || appliedMessage
      ? [{ type: 'Applied', status: applied ? 'True' : 'False', message: appliedMessage, lastTransitionTime } as const]
      : [];
  return {
    conditions: [...delivered, ...troubleOf(item)],
    manifestStatuses: applied && health ? [{ health, status }] : [],
  };
}

function troubleOf({
  state,
  message = '',
  since = '',
}: AggregatedStatusItem): NonNullable<NonNullable<WorkReport['status']>['conditions']> {
  if (!state) return [];
  const status = state === 'Unhealthy' ? 'False' : 'Unknown';
  return [{ type: healthyCondition, status, message, lastTransitionTime: since }];
}
