import type { AggregatedStatusItem, Binding, Condition, ManifestStatus, Work } from '../../api/index.ts';
import { isHeldOn } from '../../engine/index.ts';
import type { Brakes } from '../../engine/index.ts';

/** What is read of a Work to say how a template stands. */
export interface WorkWords {
  readonly metadata: Pick<Work['metadata'], 'deletionTimestamp'>;
  readonly spec: Pick<Work['spec'], 'suspendDispatching'>;
  readonly status?: {
    readonly conditions?: readonly Pick<Condition, 'type' | 'status' | 'message'>[];
    readonly manifestStatuses?: readonly Pick<ManifestStatus, 'health'>[];
  };
}

/** What a Work that the caller may not see says, as far as its binding was told. */
export function unseenWork(cluster: string, binding: Binding | undefined, brakes: Brakes): WorkWords {
  const suspendDispatching = isHeldOn(brakes, cluster);
  const item = binding?.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
  return { metadata: {}, spec: { suspendDispatching }, ...(item && { status: statusOf(item) }) };
}

function statusOf({
  applied,
  appliedMessage: message = '',
  health,
}: AggregatedStatusItem): NonNullable<WorkWords['status']> {
  const conditions =
    applied || message ? [{ type: 'Applied', status: applied ? 'True' : 'False', message } as const] : [];
  const manifestStatuses = applied && health ? [{ health }] : [];
  return { conditions, manifestStatuses };
}
