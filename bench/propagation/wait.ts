/** Milliseconds of pause. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const longest = 15 * 60_000;

/**
 * Asks again and again until something is true; returns the milliseconds that it took. Frequent requests take time from
 * the processes that are measured.
 */
export async function untilTrue(
  what: string,
  condition: () => Promise<boolean> | boolean,
  everyMilliseconds = 100,
): Promise<number> {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > longest) throw new Error(`not in time: ${what}`);
    await pause(everyMilliseconds);
  }
  return performance.now() - start;
}

/** Does so many things, `lanes` at a time. */
export async function inLanes(lanes: number, count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
