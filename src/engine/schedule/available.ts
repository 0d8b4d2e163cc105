import type { BindingSpec, Cluster, Component } from '../../api/index.ts';
import { quantity } from '../../api/index.ts';

import type { QuotaReport } from './facts.ts';

type Summary = NonNullable<NonNullable<Cluster['status']>['resourceSummary']>;

/**
 * Returns how many more replicas of this workload the cluster has capacity for, by its own account of its resources. A
 * cluster that gives no account has none; a workload without requests is bounded by pods alone.
 */
export function capacityFor({ replicas, replicaRequirements }: BindingSpec, cluster: Cluster): number {
  if (!replicas) return Number.MAX_SAFE_INTEGER;
  return capacityOfSets(cluster, 1, amountsOf(replicaRequirements?.resourceRequest, 1));
}

/** Returns how many more sets of these components the cluster has capacity for. */
export function setsFor(components: readonly Component[], cluster: Cluster): number {
  const needs = new Map<string, number>();
  let pods = 0;
  for (const { replicas, replicaRequirements } of components) {
    pods += replicas;
    for (const [resource, amount] of amountsOf(replicaRequirements?.resourceRequest, replicas)) {
      needs.set(resource, (needs.get(resource) ?? 0) + amount);
    }
  }
  return capacityOfSets(cluster, pods, needs);
}

/**
 * Returns how many replicas the ResourceQuotas of a cluster allow, with those that the workload has there. A report may be
 * older than these, so no more are added than a whole quota allows. A resource that no quota limits is free.
 */
export function quotaFor(
  { replicaRequirements }: BindingSpec,
  quotas: readonly QuotaReport[],
  present: number,
): number {
  const needs = new Map(amountsOf(replicaRequirements?.resourceRequest, 1)).set('pods', thousandths(1));
  let most = Number.MAX_SAFE_INTEGER;
  for (const { hard, used } of quotas) {
    for (const [resource, need] of needs) {
      const name = [`requests.${resource}`, resource].find((one) => hard[one] !== undefined);
      if (name === undefined || need <= 0) continue;
      const whole = thousandths(quantity(hard[name]) ?? 0);
      const left = Math.max(0, whole - thousandths(quantity(used[name]) ?? 0));
      most = Math.min(most, Math.floor(left / need) + present, Math.floor(whole / need));
    }
  }
  return Math.max(present, most);
}

type Amounts = ReadonlyMap<string, number>;

/** Requests in thousandths: a tenth of a CPU has no exact binary form, and 1 / 0.1 must hold ten. */
function amountsOf(requests: Readonly<Record<string, string>> | undefined, times: number): Amounts {
  const amounts = new Map<string, number>();
  for (const resource in requests) amounts.set(resource, times * thousandths(quantity(requests[resource]) ?? 0));
  return amounts;
}

function capacityOfSets({ status }: Cluster, pods: number, needs: Amounts): number {
  const summary = status?.resourceSummary;
  if (!summary) return 0;
  let capacity = Math.floor(free(summary, 'pods') / Math.max(1, pods));
  for (const [resource, need] of needs) {
    if (need > 0) capacity = Math.min(capacity, Math.floor(thousandths(free(summary, resource)) / need));
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
