/** What the engine knows of kinds: replicas, pod templates, dependencies, health, status, what a member may keep. */
export { aggregateStatus, healthOf, reflectStatus } from './status/status.ts';
export { dependenciesOf } from './dependencies.ts';
export { retain } from './retain.ts';

export { podTemplateOf, replicasOf, reviseReplicas, withoutReplicas, workloadKind } from './workloads.ts';
export type { Replicas, WorkloadKind } from './workloads.ts';
