/**
 * The controllers: the engine's questions asked of the live world, and the watch over the fleet.
 * They decide nothing themselves, and do not know whether the hub is embedded or remote.
 * Start with pipeline/controllers.ts, the list; pipeline/pipeline.ts runs it.
 */
export { Approver } from './approver/index.ts';
export { AgentWatch, ClusterWatch, Heartbeat, impersonationEvent } from './clusters/index.ts';
export type { ObjectEvent } from './controller.ts';
export { OrphanWatch } from './orphans/index.ts';
export { controllerOf, eventRules, singleEvents } from './pipeline/controllers.ts';
export { Pipeline } from './pipeline/pipeline.ts';
export type { PipelineOptions } from './pipeline/pipeline.ts';
