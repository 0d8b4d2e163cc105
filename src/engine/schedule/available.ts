import type { BindingSpec, Cluster } from '../../api/index.ts';
import { quantity } from '../../api/index.ts';

type Summary = NonNullable<NonNullable<Cluster['status']>['resourceSummary']>;

/**
 * Returns how many more replicas of this workload the cluster has capacity for, by its own account of its resources. A
 * cluster that gives no account has none; a workload without requests is bounded by pods alone.
 */
export function capacityFor({ replicas, replicaRequirements }: BindingSpec, cluster: Cluster): number {
  if (!replicas) return Number.MAX_SAFE_INTEGER;
  const summary = cluster.status?.resourceSummary;
  if (!summary) return 0;
  let capacity = Math.floor(free(summary, 'pods'));
  const requests = replicaRequirements?.resourceRequest ?? {};
  for (const resource in requests) {
    const request = quantity(requests[resource]) ?? 0;
    // Counted in thousandths: a tenth of a CPU has no exact binary form, and 1 / 0.1 must hold ten.
    if (request > 0)
      capacity = Math.min(capacity, Math.floor(thousandths(free(summary, resource)) / thousandths(request)));
  }
  return Math.max(0, capacity);
}

function free({ allocatable, allocated, allocating }: Summary, resource: string): number {
  const amount = (of: Readonly<Record<string, string>> | undefined): number => quantity(of?.[resource]) ?? 0;
  return amount(allocatable) - amount(allocated) - amount(allocating);
}

function thousandths(amount: number): number {
  return Math.round(amount * 1000);
}
