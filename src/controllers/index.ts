/**
 * The controllers: the engine's questions asked of the live world, and the watch over the fleet.
 * They decide nothing themselves, and know not whether the hub is embedded or far away.
 * Start with pipeline/pipeline.ts.
 */
export { ClusterWatch } from './clusters/index.ts';
export { usualPatience } from './clusters/status.ts';
export type { Patience } from './clusters/status.ts';
export { OrphanWatch } from './orphans/index.ts';
export type { ObjectEvent } from './pipeline/events.ts';
export { Pipeline } from './pipeline/pipeline.ts';
export { singleEvents, eventRules } from './pipeline/event-rules.ts';
export type { PipelineOptions } from './pipeline/pipeline.ts';
