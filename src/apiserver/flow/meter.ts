import type { MetricOptions, Metrics } from '../../observe/index.ts';
import type { SeatQueues } from './queues.ts';

/** Counts what flow control does, under the names of kube-apiserver. */
export interface FlowMeter {
  started(level: string, schema: string): void;
  ended(level: string, schema: string): void;
  queued(level: string, schema: string): void;
  left(level: string, schema: string): void;
  waited(lane: { readonly level: string; readonly schema: string }, milliseconds: number): void;
  rejected(level: string, schema: string, reason: string): void;
}

const prefix = 'apiserver_flowcontrol_';
const labels = ['priority_level', 'flow_schema'];

function family(name: string, help: string, more: readonly string[] = []): Required<MetricOptions> {
  return { name: `${prefix}${name}`, help, labels: [...labels, ...more] };
}

/** The meter of these priority levels. */
export function flowMeter(metrics: Metrics, levels: ReadonlyMap<string, SeatQueues>): FlowMeter {
  const executing = metrics.gauge(family('current_executing_requests', 'Requests that are executed now.'));
  const waiting = metrics.gauge(family('current_inqueue_requests', 'Requests that wait for seats now.'));
  const dispatched = metrics.counter(family('dispatched_requests_total', 'Requests that got their seats.'));
  const rejected = metrics.counter(
    family('rejected_requests_total', 'Requests that were refused with 429.', ['reason']),
  );
  const wait = metrics.histogram(
    family('request_wait_duration_seconds', 'Time that requests waited in a queue before they were executed.'),
  );
  meterSeats(metrics, levels);
  return {
    started(level, schema) {
      executing(level, schema).add();
      dispatched(level, schema).add();
    },
    ended: (level, schema) => executing(level, schema).add(-1),
    queued: (level, schema) => waiting(level, schema).add(),
    left: (level, schema) => waiting(level, schema).add(-1),
    waited({ level, schema }, milliseconds) {
      waiting(level, schema).add(-1);
      wait(level, schema).observe(milliseconds / 1000);
    },
    rejected: (level, schema, reason) => rejected(level, schema, reason).add(),
  };
}

function meterSeats(metrics: Metrics, levels: ReadonlyMap<string, SeatQueues>): void {
  const seats = (name: string, help: string) =>
    metrics.gauge({ name: `${prefix}${name}`, help, labels: ['priority_level'] });
  const limit = seats('nominal_limit_seats', 'Seats of a priority level.');
  const used = seats('current_executing_seats', 'Seats that are taken now.');
  for (const [name, queues] of levels) limit(name).set(queues.seats);
  metrics.beforeReading(() => {
    for (const [name, queues] of levels) used(name).set(queues.used);
  });
}
