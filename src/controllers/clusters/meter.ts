import { quantity } from '../../api/index.ts';
import type { Cluster } from '../../api/index.ts';
import { failuresOf, isReady } from '../../engine/index.ts';
import type { Gauge, Metrics } from '../../observe/index.ts';
import type { HubCache } from '../../runtime/index.ts';

type Read = (cluster: Cluster) => number | string | undefined;

/** The reports of members about themselves, under Karmada's names. */
const gauges: Readonly<Record<string, { readonly help: string; readonly read: Read }>> = {
  cluster_ready_state: {
    help: 'Whether the member is ready.',
    read: (cluster) => (cluster.status?.conditions && isReady(cluster) ? 1 : 0),
  },
  cluster_node_number: { help: 'Nodes of the member.', read: ({ status }) => status?.nodeSummary?.totalNum },
  cluster_ready_node_number: {
    help: 'Nodes of the member that are ready.',
    read: ({ status }) => status?.nodeSummary?.readyNum,
  },
  cluster_memory_allocatable_bytes: {
    help: 'Memory that the nodes of the member offer.',
    read: ({ status }) => status?.resourceSummary?.allocatable?.['memory'],
  },
  cluster_cpu_allocatable_number: {
    help: 'Processors that the nodes of the member offer.',
    read: ({ status }) => status?.resourceSummary?.allocatable?.['cpu'],
  },
  cluster_pod_allocatable_number: {
    help: 'Pods that the nodes of the member can take.',
    read: ({ status }) => status?.resourceSummary?.allocatable?.['pods'],
  },
  cluster_memory_allocated_bytes: {
    help: 'Memory that Pods on nodes of the member request.',
    read: ({ status }) => status?.resourceSummary?.allocated?.['memory'],
  },
  cluster_cpu_allocated_number: {
    help: 'Processors that Pods on nodes of the member request.',
    read: ({ status }) => status?.resourceSummary?.allocated?.['cpu'],
  },
  cluster_pod_allocated_number: {
    help: 'Pods on nodes of the member.',
    read: ({ status }) => status?.resourceSummary?.allocated?.['pods'],
  },
};

/** Gauges of the fleet, read when the metrics are read, so that a member that has left has none. */
export function observeFleet(metrics: Metrics, view: HubCache): () => void {
  const families = Object.entries(gauges).map(([name, { help, read }]) => {
    const family = metrics.gauge({ name, help, labels: ['member_cluster'] });
    return { name, family, read };
  });
  const outage = metrics.gauge({
    name: 'sluice_outage',
    help: 'Whether evictions are paused because too many members failed together.',
  });
  return metrics.beforeReading(() => {
    outage().set(failuresOf(view).outage ? 1 : 0);
    for (const { name, family, read } of families) {
      metrics.clear(name);
      for (const cluster of view.clusters) set(() => family(cluster.metadata.name), read(cluster));
    }
  });
}

function set(series: () => Gauge, value: number | string | undefined): void {
  const number = typeof value === 'string' ? quantity(value) : value;
  if (number !== undefined) series().set(number);
}
