import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * One figure of a benchmark; `budget` is what the design allows, in the same unit: at most, or `atLeast`.
 * `cpu` is what each operation cost the measured process in microseconds: on its main thread, and in all.
 */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly budget?: number;
  readonly atLeast?: boolean;
  readonly cpu?: readonly [main: number, all: number];
}

/** The figures as lines under a heading; `bench` is named in front of each where there is one. */
export function tableOf(figures: readonly (Figure & { readonly bench?: string })[]): string {
  const named = figures.some(({ bench }) => bench !== undefined);
  const rows = figures.map((figure) => [...(named ? [figure.bench ?? ''] : []), ...cellsOf(figure)]);
  const heading = [...(named ? ['BENCH'] : []), 'WHAT', 'FIGURE', 'UNIT', 'BUDGET', 'CPU µs: MAIN', 'ALL'];
  return aligned([heading, ...rows], named ? 1 : 0);
}

function cellsOf({ what, value, unit, budget, atLeast, cpu }: Figure): string[] {
  const limit = budget === undefined ? '' : `${atLeast ? '≥' : '≤'} ${budget.toLocaleString('en')} ${unit}`;
  return [what, shown(value), unit, limit, ...(cpu ? cpu.map(shown) : [])];
}

const shown = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3));

function aligned(rows: readonly (readonly string[])[], words: number): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const numbers = new Set([words + 1, words + 4, words + 5]);
  const pad = (cell: string, i: number): string =>
    numbers.has(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

/** Microseconds per call of `work`, which does `calls` of them: the median of five runs after a warm-up. */
export function microseconds(calls: number, work: () => void): number {
  work();
  const runs = Array.from({ length: 5 }, () => {
    const start = performance.now();
    work();
    return ((performance.now() - start) * 1000) / calls;
  });
  return runs.sort((a, b) => a - b)[2] ?? Number.NaN;
}

/**
 * Microseconds of processor time per call: the best of seven runs after a warm-up. On a machine that others use too it
 * tells more than the clock; garbage collection is in it.
 */
export function processorMicroseconds(calls: number, work: () => void): number {
  work();
  const runs = Array.from({ length: 7 }, () => processorSeconds(work));
  return (Math.min(...runs) * 1e6) / calls;
}

/** The processor time that some work takes. */
export function processorSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/**
 * Collects garbage, so that what is measured next does not pay for what came before: other threads go on sweeping after
 * the call, so it waits until the process does nothing any more.
 */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  for (let busy = Infinity; busy > 1_000;) {
    const before = process.cpuUsage();
    await setTimeout(50);
    const { user, system } = process.cpuUsage(before);
    busy = user + system;
  }
}
