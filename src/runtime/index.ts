/**
 * The parts of every controller: the cache that it reads, its queue, the loop that asks, and clock, lease and events.
 * It must not know any decision: the question, the index keys of an object and the writes are given to it.
 * Start with controller.ts; cache.ts is what it reads, writer.ts how it writes, supervisor.ts starts and stops all of them.
 */
export { HubCache } from './cache.ts';
export type { CacheChange, CacheOptions, ChangeListener } from './cache.ts';
export { ManualClock } from './clock.ts';
export { Controller } from './controller.ts';
export type { ControllerOptions } from './controller.ts';
export { Supervisor, NotSynced } from './supervisor.ts';
export type { SupervisorOptions, Runnable } from './supervisor.ts';
export { EventRecorder } from './events.ts';
export type { EventOptions, Happening } from './events.ts';
export { Informer } from './informer.ts';
export type { InformerOptions } from './informer.ts';
export { withoutFields } from './managed-fields.ts';
export { DeferredWork } from './deferred-work.ts';
export type { DeferredWorkOptions } from './deferred-work.ts';
export { fenced, Fenced } from './fence.ts';
export type { Fence } from './fence.ts';
export { Lease } from './lease.ts';
export type { LeaseCallbacks, LeaseOptions } from './lease.ts';
export { MemberCache, MemberCaches } from './members.ts';
export { workQueue } from './queue.ts';
export type { QueueOptions } from './queue.ts';
export { WebhookAnswers } from './webhook-answers.ts';
export { NotConnected, performWrite, refresh, Stale, writtenRef } from './writer.ts';
export type { TargetOf, WriteCache, WriteTarget } from './writer.ts';
