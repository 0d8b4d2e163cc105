import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './metrics.ts';

/** How the process itself is: CPU, memory, and how late its event loop is. Returns what ends it. */
export function observeProcess(metrics: Metrics): () => void {
  const gauge = (name: string, help: string): ((value: number) => void) => {
    const series = metrics.gauge({ name, help })();
    return (value) => series.set(value);
  };
  const cpu = metrics.counter({ name: 'process_cpu_seconds_total', help: 'CPU time spent, user and system.' })();
  const resident = gauge('process_resident_memory_bytes', 'Resident memory.');
  const heap = gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript objects in use.');
  const lag = gauge(
    'nodejs_eventloop_lag_p99_seconds',
    'How late the event loop was since the last reading, 99th percentile.',
  );
  const most = gauge('nodejs_eventloop_lag_max_seconds', 'How late the event loop was at most since the last reading.');
  gauge('process_start_time_seconds', 'When the process started.')(Date.now() / 1000 - process.uptime());
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  let counted = 0;
  const stop = metrics.beforeReading(() => {
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    cpu.add(seconds - counted);
    counted = seconds;
    const memory = process.memoryUsage();
    resident(memory.rss);
    heap(memory.heapUsed);
    lag(secondsOf(delays.percentile(99)));
    most(secondsOf(delays.max));
    delays.reset();
  });
  return () => {
    stop();
    delays.disable();
  };
}

/** With nothing measured yet the histogram answers nonsense. */
function secondsOf(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) && nanoseconds < 1e15 ? nanoseconds / 1e9 : 0;
}
