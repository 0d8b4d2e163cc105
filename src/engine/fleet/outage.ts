import type { Cluster, ClusterTaintPolicy, Settings, Taint, View } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { taintPoliciesOf } from './taint-policies.ts';

/** More of the fleet has failed at once than is likely: the fault may be on the way to it, so nothing is evicted. */
export interface Outage {
  /** The members that failed together, by name. */
  readonly failed: readonly string[];
  readonly total: number;
}

/** The failures of a fleet as the hub sees them. */
export interface Failures {
  /** Since when each failed member has been failing, in milliseconds since the epoch. */
  readonly since: ReadonlyMap<string, number>;
  readonly outage: Outage | undefined;
  /** When the last outage of a member ended, in milliseconds; Infinity until its condition says so. */
  readonly over: ReadonlyMap<string, number>;
}

interface Remembered {
  readonly policies: readonly ClusterTaintPolicy[];
  readonly settings: Settings;
  readonly failures: Failures;
}

const known = new WeakMap<readonly Cluster[], Remembered>();

/** The failures of the fleet; the very same answer as long as no cluster and no policy about taints changes. */
export function failuresOf(view: View): Failures {
  const { clusters, settings } = view;
  const policies = taintPoliciesOf(view);
  const before = known.get(clusters);
  if (before?.settings === settings && equal(before.policies, policies)) return before.failures;
  const since = new Map(clusters.flatMap((cluster) => failingEntry(cluster, policies)));
  const over = new Map(clusters.flatMap(overEntry));
  const failures = { since, outage: outageAmong(since, clusters.length, settings), over };
  known.set(clusters, { policies, settings, failures });
  return failures;
}

/** `2 of 4 members failed within 300 s: member1, member2`. */
export function outageText({ failed, total }: Outage, { outageSeconds }: Settings): string {
  return `${failed.length} of ${total} members failed within ${outageSeconds} s: ${failed.join(', ')}`;
}

/** A member fails while it is not ready, or while a policy taints it with NoExecute because of its conditions. */
function failingEntry(
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
): readonly (readonly [string, number])[] {
  const ready = cluster.status?.conditions?.find(({ type }) => type === 'Ready');
  const times = cluster.spec.taints?.flatMap((taint) => (isByPolicy(taint, policies) ? timeOf(taint.timeAdded) : []));
  const unready = ready && ready.status !== 'True' ? timeOf(ready.lastTransitionTime) : [];
  const all = [...unready, ...(times ?? [])];
  return all.length > 0 ? [[cluster.metadata.name, Math.min(...all)]] : [];
}

/** The condition of a member that says that it is part of an outage, or was. */
export const outageCondition = 'Outage';

function overEntry({ metadata, status }: Cluster): readonly (readonly [string, number])[] {
  const condition = status?.conditions?.find(({ type }) => type === outageCondition);
  if (!condition) return [];
  return [[metadata.name, condition.status === 'True' ? Infinity : Date.parse(condition.lastTransitionTime)]];
}

function isByPolicy({ key, effect }: Taint, policies: readonly ClusterTaintPolicy[]): boolean {
  if (effect !== 'NoExecute') return false;
  return policies.some(({ spec }) => spec.taints.some((one) => one.key === key && one.effect === effect));
}

function timeOf(text: string | undefined): readonly number[] {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? [] : [time];
}

/** A single member that fails is no outage, however small the fleet. */
function outageAmong(
  since: ReadonlyMap<string, number>,
  total: number,
  { outagePercent, outageSeconds }: Settings,
): Outage | undefined {
  let most: readonly string[] = [];
  for (const begin of since.values()) {
    const together = [...since].filter(([, time]) => time >= begin && time <= begin + outageSeconds * 1000);
    if (together.length > most.length) most = together.map(([name]) => name);
  }
  const isOutage = most.length > 1 && most.length * 100 > outagePercent * total;
  return isOutage ? { failed: most.toSorted(), total } : undefined;
}
