import type { AnyBehaviour } from './cluster/behaviour.ts';
import { services } from './network/services.ts';
import { kubeletOf } from './pods/kubelet.ts';
import { nodes } from './pods/nodes.ts';
import { schedulerOf } from './pods/scheduler.ts';
import type { Usage } from './pods/usage.ts';
import { deployments } from './workloads/deployments.ts';
import { replicaSets } from './workloads/replicasets.ts';

/** What a member does about its objects; without pods, workloads only say that they are ready. */
export function behavioursOf(usage: Usage, pods: boolean): readonly AnyBehaviour[] {
  const always: readonly AnyBehaviour[] = [nodes, schedulerOf(usage), kubeletOf(usage), services];
  return pods ? [...always, deployments, replicaSets] : always;
}
