/**
 * Logs, metrics and traces of a running process, and its clock.
 * Nothing here decides anything, and nothing that it does may slow down or fail the work that it watches.
 * Start with log.ts and metrics.ts; trace.ts costs nothing until an endpoint is configured, and then loads sdk-tracer.ts.
 */
export { createLogger, silentLogger } from './log.ts';
export type { LogFields, LogFormat, LogLevel, LogOptions, Logger } from './log.ts';
export { Metrics } from './metrics.ts';
export type { Counter, Gauge, Histogram, MetricOptions } from './metrics.ts';
export { startWorker } from './worker.ts';
export { observeProcess } from './process.ts';
export { noTracer, openTracer } from './trace.ts';
export type { Attributes, Tracer, TracerOptions, Tracing } from './trace.ts';
export { pause, wallClock } from './clock.ts';
export type { Clock } from './clock.ts';
