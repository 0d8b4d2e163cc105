/**
 * The priority levels and flow schemas of the hub, as a new kube-apiserver has them. This table is the only place that knows
 * them: objects of flowcontrol.apiserver.k8s.io can take its place.
 */

/** How many requests of one kind are executed and how many wait. */
export interface PriorityLevel {
  readonly name: string;
  /** Its part of all seats. */
  readonly shares: number;
  readonly queues: number;
  /** Queues that one flow may use: a flow that fills all of its own leaves most of the others alone. */
  readonly handSize: number;
  /** Requests that wait in one queue; 0 refuses at once. */
  readonly queueLength: number;
}

/** Facts of a request by which it finds its flow schema. */
export interface FlowFacts {
  readonly user: string;
  readonly groups: readonly string[];
  /** Empty for a path that does not name a resource. */
  readonly resource: string;
  readonly path: string;
}

/** Tells which requests belong to a level. */
export interface FlowSchema {
  readonly name: string;
  /** The name of the level; `exempt` passes without a seat. */
  readonly level: string;
  readonly matches: (facts: FlowFacts) => boolean;
}

/** The name of the level that waits for nothing. */
export const exempt = 'exempt';

/** Seats of all levels together; kube-apiserver's default. */
export const allSeats = 600;

const queued = { queues: 64, handSize: 6, queueLength: 50 };

/** Ordered as in Kubernetes; the names and shares are its own. */
export const priorityLevels: readonly PriorityLevel[] = [
  { name: 'system', shares: 30, ...queued },
  { name: 'leader-election', shares: 10, queues: 16, handSize: 4, queueLength: 50 },
  { name: 'workload-high', shares: 40, ...queued, queues: 128 },
  { name: 'workload-low', shares: 100, ...queued, queues: 128 },
  { name: 'global-default', shares: 20, ...queued, queues: 128 },
  { name: 'catch-all', shares: 5, queues: 0, handSize: 0, queueLength: 0 },
];

const probes: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz']);
const kubeSystem = 'system:serviceaccounts:kube-system';

/** The first that matches counts. */
export const flowSchemas: readonly FlowSchema[] = [
  { name: exempt, level: exempt, matches: ({ groups }) => groups.includes('system:masters') },
  { name: 'probes', level: exempt, matches: ({ path }) => probes.has(path) },
  // In Kubernetes for its own components only; here every agent and every replica of a controller has its lease.
  {
    name: 'system-leader-election',
    level: 'leader-election',
    matches: ({ resource }) => resource === 'coordination.k8s.io/leases',
  },
  { name: 'system-nodes', level: 'system', matches: ({ groups }) => groups.includes('system:nodes') },
  {
    name: 'kube-system-service-accounts',
    level: 'workload-high',
    matches: ({ groups }) => groups.includes(kubeSystem),
  },
  {
    name: 'service-accounts',
    level: 'workload-low',
    matches: ({ groups }) => groups.includes('system:serviceaccounts'),
  },
  { name: 'global-default', level: 'global-default', matches: ({ groups }) => groups.length > 0 },
  { name: 'catch-all', level: 'catch-all', matches: () => true },
];
