import { longestTimer } from '../base/index.ts';

/** Time as the hub sees it; tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after so many milliseconds, unless what it returns is called before. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The clock on the wall; its timers never keep the process alive. */
export const wallClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, longestTimer));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The second that was asked for last: a busy hub asks thousands of times for the same. */
let last = { second: Number.NaN, text: '' };

/** RFC 3339 to the second, as Kubernetes writes metav1.Time. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== last.second) last = { second, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z` };
  return last.text;
}
