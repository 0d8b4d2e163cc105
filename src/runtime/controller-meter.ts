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
    help: 'Answers by result: acted, rested, gone, stale, failed.',
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
  const byResult = remembered((result) => attempts(name, result));
  const byWrite = remembered((kind) => remembered((verb) => writes(name, kind, verb)));
  return {
    attempted(result, took) {
      byResult(result).add();
      seconds.observe(took);
    },
    wrote: (kind, verb) => byWrite(kind)(verb).add(),
    crashed: () => crashes.add(),
  };
}

/** Asks once for every name. */
function remembered<T>(of: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    let found = known.get(name);
    if (found === undefined) known.set(name, (found = of(name)));
    return found;
  };
}
