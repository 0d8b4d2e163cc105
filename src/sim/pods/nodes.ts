import type { Behaviour } from '../cluster/behaviour.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import type { Node } from '../cluster/objects.ts';

/** The size and number of a member's nodes. */
export interface NodesOptions {
  readonly count: number;
  readonly cpu: string;
  readonly memory: string;
  readonly pods: number;
}

/** The nodes of a member that is given none. */
export const usualNodes: NodesOptions = { count: 3, cpu: '8', memory: '32Gi', pods: 110 };

/** Makes the nodes that a member lacks; those that exist stay as they are. */
export async function makeNodes(cluster: Cluster, member: string, options: NodesOptions): Promise<void> {
  for (let i = 1; i <= options.count; i++) {
    const name = `${member}-node${i}`;
    if (cluster.get(kinds.nodes, '', name)) continue;
    await cluster.create(nodeOf(cluster, { name, index: i, options }), 'kubelet');
  }
}

const conditions: readonly (readonly [type: string, status: string, reason: string, message: string])[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];

interface NewNode {
  readonly name: string;
  readonly index: number;
  readonly options: NodesOptions;
}

function nodeOf(cluster: Cluster, { name, index, options }: NewNode): Node {
  const { architecture, release } = machine;
  const podCIDR = `10.244.${index}.0/24`;
  const taken = { cpu: options.cpu, memory: options.memory, pods: String(options.pods), 'ephemeral-storage': '100Gi' };
  const status = {
    capacity: taken,
    allocatable: taken,
    conditions: conditionsAt(cluster.stamp()),
    addresses: [
      { type: 'InternalIP', address: `172.18.0.${index + 1}` },
      { type: 'Hostname', address: name },
    ],
    nodeInfo: {
      architecture,
      operatingSystem: 'linux',
      osImage: 'Sluice simulated node',
      kernelVersion: '6.12.0',
      kubeletVersion: release,
      kubeProxyVersion: release,
      containerRuntimeVersion: 'simulated://1.0.0',
      bootID: '',
      machineID: '',
      systemUUID: '',
    },
  };
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': architecture,
    'topology.kubernetes.io/zone': `zone-${index}`,
  };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: { podCIDR }, status };
}

const machine = { architecture: 'amd64', release: 'v1.34.0' };

const conditionsAt = (now: string): NonNullable<NonNullable<Node['status']>['conditions']> =>
  conditions.map(([type, state, reason, message]) => ({
    type,
    status: state,
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  }));

/** A node that somebody adds comes up; one whose status is set by hand stays so. */
export const nodes: Behaviour<Node> = {
  name: 'nodes',
  kind: kinds.nodes,
  async look(cluster, node) {
    if (node.status?.conditions?.some(({ type }) => type === 'Ready')) return undefined;
    const index = cluster.list(kinds.nodes).length;
    const { name } = node.metadata;
    const usual = nodeOf(cluster, { name, index, options: usualNodes });
    await cluster.writeStatus(node, { ...usual.status, ...node.status, conditions: conditionsAt(cluster.stamp()) });
    return undefined;
  },
};
