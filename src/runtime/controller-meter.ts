import type { Metrics } from '../observe/index.ts';

/** Counts what a controller does. */
export interface ControllerMeter {
  attempted(result: string, seconds: number): void;
  wrote(kind: string, verb: string): void;
  crashed(): void;
}

const unmeasured: ControllerMeter = { attempted: () => {}, wrote: () => {}, crashed: () => {} };

/** The meter of a controller; one that does nothing where nobody measures. */
export function controllerMeter(metrics: Metrics | undefined, name: string): ControllerMeter {
  if (!metrics) return unmeasured;
  const attempts = metrics.counter({
    name: 'sluice_controller_attempts_total',
    help: 'Answers by what came of them: acted, rested, gone, stale, failed.',
    labels: ['controller', 'result'],
  });
  const seconds = metrics.histogram({
    name: 'sluice_controller_seconds',
    help: 'Time to answer and to act.',
    labels: ['controller'],
  })(name);
  const writes = metrics.counter({
    name: 'sluice_controller_writes_total',
    help: 'Writes that were done.',
    labels: ['controller', 'kind', 'verb'],
  });
  const crashes = metrics.counter({
    name: 'sluice_controller_crashes_total',
    help: 'Workers that crashed and were replaced.',
    labels: ['controller'],
  })(name);
  return {
    attempted(result, took) {
      attempts(name, result).add();
      seconds.observe(took);
    },
    wrote: (kind, verb) => writes(name, kind, verb).add(),
    crashed: () => crashes.add(),
  };
}
