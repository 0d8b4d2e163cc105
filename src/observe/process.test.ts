import { expect, it } from 'vitest';
import { Metrics } from './metrics.ts';
import { observeProcess } from './process.ts';

function valueOf(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

it('tells how the process is', () => {
  const metrics = new Metrics();
  const stop = observeProcess(metrics);
  const first = metrics.text();
  expect(valueOf(first, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(valueOf(first, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
  expect(valueOf(first, 'process_start_time_seconds')).toBeGreaterThan(1.7e9);
  expect(valueOf(first, 'nodejs_eventloop_lag_max_seconds')).toBeGreaterThanOrEqual(0);
  for (let i = 0; i < 1e6; i++) Math.sqrt(i);
  const second = metrics.text();
  const cpu = 'process_cpu_seconds_total';
  expect(valueOf(second, cpu)).toBeGreaterThan(valueOf(first, cpu));
  stop();
  expect(valueOf(metrics.text(), cpu)).toBe(valueOf(second, cpu));
});
