/** Work that takes less of the event loop than this is not interrupted, in milliseconds. */
const longestSlice = 5;
/** The longest pause between two slices, in milliseconds. */
const longestPause = 250;

/**
 * Runs work that takes the event loop for long in slices of one or more steps; after each the loop is free for as long as the
 * slice took, so that everybody else is answered meanwhile. What the work has read may have changed when it ends.
 */
export async function inSlices<T>(steps: Iterator<unknown, T>): Promise<T> {
  let started = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    const took = performance.now() - started;
    if (took >= longestSlice) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(took, longestPause)));
      started = performance.now();
    }
    if (done) return value;
  }
}
