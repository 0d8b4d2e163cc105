/** One figure of a benchmark; `budget` is what the design allows, in the same unit. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly budget?: number;
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
