import type { Clock } from '../observe/index.ts';
import { pause } from '../observe/index.ts';
import { ApiError } from '../api/index.ts';
import { Unreachable } from './errors.ts';

/** How often and how long a client tries by itself before its caller hears of a failure. */
export interface RetryOptions {
  /** Including the first one. */
  readonly attempts: number;
  /** A server that asks for more patience than this is left to the caller's own. */
  readonly longestMilliseconds: number;
}

/** The retries of a client that is given none. */
export const defaultRetry: RetryOptions = { attempts: 3, longestMilliseconds: 5_000 };

/** The facts that a retry depends on. */
export interface Retrying {
  readonly retry: RetryOptions;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Tells whether the request changes nothing. */
  readonly reads: boolean;
}

/**
 * Tries again where that is safe.
 * Guarantees: a write that may have reached the server is never sent twice, unless the server said that it did nothing (429,
 * and 503 with Retry-After). Waits are bounded and jittered.
 */
export async function retried<T>(work: () => Promise<T>, options: Retrying): Promise<T> {
  const { retry, clock, random, signal } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const wait = attempt < retry.attempts ? waitOf(error, attempt, options) : undefined;
      if (wait === undefined || wait > retry.longestMilliseconds) throw error;
      await pause(clock, wait * (1 + random() / 4), signal);
      if (signal?.aborted) throw error;
    }
  }
}

/** Milliseconds to wait before the next try; undefined when there should be none. */
function waitOf(error: unknown, attempt: number, { reads }: Retrying): number | undefined {
  if (error instanceof Unreachable) {
    return passing.has(error.why) && (reads || !error.sent) ? 25 * 4 ** (attempt - 1) : undefined;
  }
  return error instanceof ApiError ? patienceOf(error) : undefined;
}

/** Failures that may be over in a moment. */
const passing: ReadonlySet<string> = new Set(['refused', 'unresolved', 'cut']);

/** The delay that the server asked for; a 503 without a time may have been carried out halfway. */
function patienceOf({ code, status }: ApiError): number | undefined {
  const seconds = status.details?.retryAfterSeconds;
  if (code === 429) return (seconds ?? 1) * 1000;
  return code === 503 && seconds !== undefined ? seconds * 1000 : undefined;
}
