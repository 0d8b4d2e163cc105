import type { AnyBehaviour } from './cluster/behaviour.ts';
import { ingresses } from './network/services.ts';
import { servicesOf } from './network/services.ts';
import { kubeletOf } from './pods/kubelet.ts';
import { nodes } from './pods/nodes.ts';
import { schedulerOf } from './pods/scheduler.ts';
import type { Usage } from './pods/usage.ts';
import { claimsOf, volumes } from './storage/volumes.ts';
import { autoscalersOf } from './workloads/autoscalers.ts';
import { budgetsOf } from './workloads/budgets.ts';
import { cronJobs } from './workloads/cronjobs.ts';
import { daemonSets } from './workloads/daemonsets.ts';
import { deployments } from './workloads/deployments.ts';
import { jobs } from './workloads/jobs.ts';
import { lightWorkloads } from './workloads/light.ts';
import { replicaSets } from './workloads/replicasets.ts';
import { statefulSets } from './workloads/statefulsets.ts';

const workloads: readonly AnyBehaviour[] = [deployments, replicaSets, statefulSets, daemonSets, jobs];

/** The controllers of a member; without pods, workloads only report that they are ready. */
export function behavioursOf(usage: Usage, pods: boolean): readonly AnyBehaviour[] {
  return [
    nodes,
    schedulerOf(usage),
    kubeletOf(usage),
    ...(pods ? workloads : lightWorkloads),
    cronJobs,
    autoscalersOf(),
    budgetsOf(),
    servicesOf(),
    ingresses,
    claimsOf(),
    volumes,
  ];
}
