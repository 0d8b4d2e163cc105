/**
 * What every controller stands on: the cache it reads, the queue that wakes it, the clock, leases and events.
 * It must not know any decision: what to ask, what an object's index is and how to act are given to it.
 * Start with cache.ts and queue.ts.
 */
export { HubCache } from './cache.ts';
export type { CacheChange, CacheOptions, ChangeListener } from './cache.ts';
export { ManualClock, microTimestamp, timestamp, wallClock } from './clock.ts';
export type { Clock } from './clock.ts';
export type { Priority } from './lanes.ts';
export { MemberCache, MemberCaches } from './members.ts';
export { WorkQueue } from './queue.ts';
export type { QueueOptions } from './queue.ts';
