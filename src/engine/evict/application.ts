import type { AggregatedStatusItem, Cluster } from '../../api/index.ts';
import { conditionStatus } from '../conditions.ts';
import type { EvictionFacts } from './facts.ts';
import type { Eviction } from './taints.ts';

const usualSeconds = 300;

/**
 * The clusters that a workload must leave because it stays unhealthy there, now or later. A report from a member that is not
 * ready is old, and says nothing about the workload; neither does the time in which the hub was away.
 */
export function applicationEvictionsOf({ binding, clusters, gates, awakeSince }: EvictionFacts): readonly Eviction[] {
  const { failover, propagateDeps, clusters: targets = [] } = binding.spec;
  if (!failover?.application || !propagateDeps || !gates.GracefulEviction) return [];
  const { tolerationSeconds = usualSeconds } = failover.application.decisionConditions;
  const unhealthy = new Map(binding.status?.aggregatedStatus?.flatMap((item) => unhealthyEntry(item)));
  return targets.flatMap((target) => {
    const since = unhealthy.get(target.name);
    if (since === undefined || !isHeard(clusters, target.name)) return [];
    const seen = Math.max(Date.parse(since), Date.parse(awakeSince ?? since));
    return { target, cause: 'application', at: seen + tolerationSeconds * 1000 };
  });
}

function unhealthyEntry({ clusterName, health, unhealthySince }: AggregatedStatusItem): readonly [string, string][] {
  return health === 'Unhealthy' && unhealthySince !== undefined ? [[clusterName, unhealthySince]] : [];
}

function isHeard(clusters: readonly Cluster[], name: string): boolean {
  const cluster = clusters.find(({ metadata }) => metadata.name === name);
  const ready = conditionStatus(cluster?.status?.conditions, 'Ready');
  return cluster !== undefined && (ready === undefined || ready === 'True');
}
