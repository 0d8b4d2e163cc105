import type { Binding } from '../../api/index.ts';
import { reportedStatus } from '../collect/index.ts';
import type { WorkReport } from '../collect/index.ts';
import { isSuspendedOn } from '../suspension/index.ts';
import type { Suspensions } from '../suspension/index.ts';

/** The report of a Work that the caller may not see, as far as its binding has it. */
export function unseenWork(cluster: string, binding: Binding | undefined, suspensions: Suspensions): WorkReport {
  const suspendDispatching = isSuspendedOn(suspensions, cluster);
  const status = reportedStatus(binding?.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster));
  return { metadata: {}, spec: { suspendDispatching }, ...(status && { status }) };
}
