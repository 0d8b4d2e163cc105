import type { HubRequest } from '../http.ts';
import { isLarge } from './demand.ts';

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
      await pause(took);
      started = performance.now();
    }
    if (done) return value;
  }
}

function pause(took: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, Math.min(took, longestPause)));
}

/** When a large request was given the event loop last. */
const begun = new WeakMap<HubRequest, number>();

/** A large request begins to take the event loop; the stages that follow are measured from here. */
export function beginStage(request: HubRequest): void {
  if (isLarge(request)) begun.set(request, performance.now());
}

/**
 * A pause between two stages of a large request, as long as the stage took; undefined when the request is small or the stage
 * was short. What the request has read may have changed after it.
 */
export function endOfStage(request: HubRequest): Promise<void> | undefined {
  const started = begun.get(request);
  if (started === undefined) return undefined;
  const took = performance.now() - started;
  return took < longestSlice ? undefined : pause(took).then(() => void begun.set(request, performance.now()));
}
