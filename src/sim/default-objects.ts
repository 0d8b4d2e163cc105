import { hasReason } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import type { Cluster } from './cluster/cluster.ts';
import { makeNodes } from './pods/nodes.ts';
import type { NodesOptions } from './pods/nodes.ts';
import { standardClass } from './storage/classes.ts';

/** The way to the API server, which every cluster has. */
const apiService: KubeObject & { readonly spec: object } = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'kubernetes',
    namespace: 'default',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  },
  spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
};

/** Gives a new member what people expect to find in a cluster. */
export async function createDefaultObjects(cluster: Cluster, member: string, nodes: NodesOptions): Promise<void> {
  await Promise.all([ensure(cluster, apiService), ensure(cluster, standardClass), makeNodes(cluster, member, nodes)]);
}

async function ensure(cluster: Cluster, object: KubeObject): Promise<void> {
  try {
    await cluster.create(object);
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists') && !hasReason(error, 'Invalid')) throw error;
  }
}
