import type { Cluster, ClusterStatus, Condition, Probe } from '../../api/index.ts';
import { conditionStatus, withCondition } from '../conditions.ts';

/** How long probes must find a member in another state before its Ready condition changes. */
export interface Patience {
  readonly successSeconds: number;
  readonly failureSeconds: number;
}

/** Karmada's thresholds. */
export const usualPatience: Patience = { successSeconds: 30, failureSeconds: 30 };

/** Since when probes of a member have differed from its condition. */
export interface Doubt {
  readonly status: Condition['status'];
  readonly since: string;
}

/** The status of a member after a probe, and the doubt to be remembered until the next probe. */
export interface Verdict {
  readonly status: ClusterStatus;
  readonly doubt: Doubt | undefined;
}

type FoundCondition = Omit<Condition, 'lastTransitionTime'>;

const longestMessage = 1024;

/** The Ready condition after a probe. A member's own words are cut: they may be of any length. */
export function readyOf(probe: Probe | { readonly fault: string }): FoundCondition {
  const found = wholeReadyOf(probe);
  return { ...found, message: (found.message ?? '').slice(0, longestMessage) };
}

function wholeReadyOf(probe: Probe | { readonly fault: string }): FoundCondition {
  const type = 'Ready';
  if ('fault' in probe) return { type, status: 'False', reason: 'StatusCollectionFailed', message: probe.fault };
  switch (probe.health) {
    case 'healthy':
      return {
        type,
        status: 'True',
        reason: 'ClusterReady',
        message: 'cluster is healthy and ready to accept workloads',
      };
    case 'unhealthy':
      return {
        type,
        status: 'False',
        reason: 'ClusterNotReady',
        message: `cluster is reachable but health endpoint responded without ok: ${probe.message}`,
      };
    case 'unreachable':
      return {
        type,
        status: 'False',
        reason: 'ClusterNotReachable',
        message: `cluster is not reachable: ${probe.message}`,
      };
    default:
      return probe satisfies never;
  }
}

/** The status after a probe: the first one counts at once, a different result only when it lasts. */
export function clusterStatusAfter(
  cluster: Cluster,
  probe: Probe | { readonly fault: string },
  { doubt, patience, now }: { readonly doubt: Doubt | undefined; readonly patience: Patience; readonly now: string },
): Verdict {
  const found = readyOf(probe);
  const before = conditionStatus(cluster.status?.conditions, 'Ready');
  // Unknown is said when an agent is silent: the first probe after that is news, not doubt.
  if (before === undefined || before === 'Unknown' || before === found.status)
    return { status: taken(cluster, probe, { found, now }), doubt: undefined };
  const since = doubt?.status === found.status ? doubt.since : now;
  const seconds = found.status === 'True' ? patience.successSeconds : patience.failureSeconds;
  const lasted = Date.parse(now) - Date.parse(since) >= seconds * 1000;
  if (!lasted) return { status: cluster.status ?? {}, doubt: { status: found.status, since } };
  // The state began when it was first found, not when it was believed.
  return { status: taken(cluster, probe, { found, now: since }), doubt: undefined };
}

function taken(
  cluster: Cluster,
  probe: Probe | { readonly fault: string },
  { found, now }: { readonly found: FoundCondition; readonly now: string },
): ClusterStatus {
  const conditions = withCondition(cluster.status?.conditions, found, now);
  if ('fault' in probe || probe.health !== 'healthy') return { ...cluster.status, conditions };
  const { kubernetesVersion, apiEnablements, nodeSummary, resourceSummary } = probe;
  return {
    ...cluster.status,
    kubernetesVersion,
    apiEnablements,
    nodeSummary,
    resourceSummary,
    conditions: withCondition(conditions, enablementCondition(probe), now),
  };
}

function enablementCondition({
  complete,
  apiEnablements,
}: {
  readonly complete: boolean;
  readonly apiEnablements: readonly unknown[];
}): FoundCondition {
  const type = 'CompleteAPIEnablements';
  if (apiEnablements.length === 0)
    return { type, status: 'False', reason: 'Empty', message: 'collected empty APIEnablements from the cluster' };
  if (!complete)
    return {
      type,
      status: 'False',
      reason: 'Partial',
      message: 'might collect partial APIEnablements from the cluster',
    };
  return { type, status: 'True', reason: 'Complete', message: 'collected complete APIEnablements from the cluster' };
}

/** How long the agent of a Pull member may be silent. */
export interface SilenceLimits {
  /** After its last heartbeat. */
  readonly graceMilliseconds: number;
  /** Before its first report, counted from when the hub began to listen. */
  readonly startupMilliseconds: number;
}

/** Karmada's limits. */
export const usualSilence: SilenceLimits = { graceMilliseconds: 40_000, startupMilliseconds: 60_000 };

/**
 * The status of a Pull member whose agent has been silent for so long; undefined while there is nothing to say. The other parts of
 * its status stay as they were reported last.
 */
export function statusAfterSilence(
  { spec, status }: Cluster,
  { silent, limits, now }: { readonly silent: number; readonly limits: SilenceLimits; readonly now: string },
): ClusterStatus | undefined {
  const ready = conditionStatus(status?.conditions, 'Ready');
  const limit = ready === undefined ? limits.startupMilliseconds : limits.graceMilliseconds;
  if (spec.syncMode !== 'Pull' || ready === 'Unknown' || silent < limit) return undefined;
  const found =
    ready === undefined
      ? { reason: 'ClusterStatusNeverUpdated', message: 'the agent of the cluster never posted its status' }
      : { reason: 'ClusterStatusUnknown', message: 'the agent of the cluster stopped posting its status' };
  return {
    ...status,
    conditions: withCondition(status?.conditions, { type: 'Ready', status: 'Unknown', ...found }, now),
  };
}
