import { priorities, WorkQueue } from '../base/index.ts';
import type { QueueMeter } from '../base/index.ts';
import { wallClock } from '../observe/index.ts';
import type { Clock, Metrics } from '../observe/index.ts';

/** The options of a controller's queue. */
export interface QueueOptions {
  readonly name: string;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly metrics?: Metrics;
  readonly baseMilliseconds?: number;
  readonly longestMilliseconds?: number;
  readonly isOpen?: () => boolean;
  readonly onRest?: () => void;
  readonly levelOf?: (key: string) => number;
}

/** The queue of a controller, with the metrics of all queues. */
export function workQueue(options: QueueOptions): WorkQueue {
  const queue: WorkQueue = new WorkQueue({
    clock: options.clock ?? wallClock,
    random: options.random ?? Math.random,
    baseMilliseconds: options.baseMilliseconds ?? 5,
    longestMilliseconds: options.longestMilliseconds ?? 1_000_000,
    isOpen: options.isOpen,
    onRest: options.onRest,
    levelOf: options.levelOf,
    meter: options.metrics && meterOf(options.name, options.metrics, () => queue),
  });
  return queue;
}

function meterOf(name: string, metrics: Metrics, queue: () => WorkQueue): QueueMeter {
  const labels = ['queue'];
  const depth = metrics.gauge({
    name: 'sluice_queue_depth',
    help: 'Keys that wait for a worker.',
    labels: ['queue', 'priority'],
  });
  const adds = metrics.counter({ name: 'sluice_queue_adds_total', help: 'Keys added.', labels })(name);
  const retries = metrics.counter({
    name: 'sluice_queue_retries_total',
    help: 'Keys added again after a failure.',
    labels,
  })(name);
  const seconds = metrics.histogram({
    name: 'sluice_queue_seconds',
    help: 'How long keys waited for a worker.',
    labels: ['queue', 'priority'],
  });
  const lanes = Object.fromEntries(priorities.map((priority) => [priority, seconds(name, priority)]));
  const read = (): void => priorities.forEach((priority) => depth(name, priority).set(queue().sizeOf(priority)));
  const close = metrics.beforeReading(read);
  return {
    added: () => adds.add(),
    retried: () => retries.add(),
    taken: (priority, waited) => lanes[priority]?.observe(waited),
    close,
  };
}
