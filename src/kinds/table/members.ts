import type { KubeObject } from '../../api/index.ts';
import { ageColumn, type CellColumn, column, nameColumn, wide } from './column.ts';
import { joined, list, strings, text } from './read.ts';

function readiness(cluster: KubeObject): string {
  const ready = list(cluster, 'status.conditions').find((one) => text(one, 'type') === 'Ready');
  return ready ? text(ready, 'status') : 'Unknown';
}

const field = (name: string, path: string, absent = '<none>'): CellColumn =>
  wide(column(name, (object) => text(object, path, absent)));

/** The columns of members: in Karmada an API server of their own shows them, and says more than columns of a definition can. */
export const memberColumns: readonly CellColumn[] = [
  nameColumn,
  column('Version', (object) => text(object, 'status.kubernetesVersion')),
  column('Mode', (object) => text(object, 'spec.syncMode')),
  column('Ready', readiness),
  ageColumn,
  wide(column('Zones', (object) => joined(strings(object, 'spec.zones')))),
  field('Region', 'spec.region'),
  field('Provider', 'spec.provider'),
  field('API-Endpoint', 'spec.apiEndpoint', ''),
  field('Proxy-URL', 'spec.proxyURL'),
];
