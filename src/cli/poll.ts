import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.ts';

/** How long something may take. */
export interface Patience {
  /** Milliseconds. */
  readonly wait: number;
  readonly signal: AbortSignal;
}

const everyMilliseconds = 100;

/** Asks again and again until it is so; false when it takes too long. */
export async function pollUntil({ wait, signal }: Patience, isSo: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + wait;
  while (!(await isSo())) {
    if (Date.now() > deadline) return false;
    await sleep(everyMilliseconds, undefined, { signal }).catch((cause: unknown) => {
      throw new Failure('interrupted; run it again to go on', { cause });
    });
  }
  return true;
}
