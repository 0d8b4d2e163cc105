import { setTimeout as pause } from 'node:timers/promises';
import type { KubeObject, Ref } from '../../src/api/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { isNotFound } from '../../src/client/index.ts';

const patience = 60_000;
const longestPause = 100;

/** Asks again, with pauses that grow, until the answer is one; throws with the last failure when patience is over. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  milliseconds = patience,
): Promise<T> {
  const end = Date.now() + milliseconds;
  let failure: unknown;
  for (let wait = 2; Date.now() < end; wait = Math.min(longestPause, wait * 2)) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    await pause(wait);
  }
  throw new Error(`waited in vain: ${what}`, { cause: failure });
}

const lookMilliseconds = 3;

/**
 * Waits until nothing has happened for so long; `sign` answers something that changes with everything that happens, or
 * undefined while something is under way. A gap in which nobody could look, as on a busy machine, proves no quiet and
 * counts no more than a look.
 */
export async function untilQuiet(what: string, milliseconds: number, sign: () => unknown): Promise<void> {
  const end = Date.now() + patience;
  let last: unknown;
  let looked = Date.now();
  for (let quiet = 0; quiet < milliseconds;) {
    await pause(lookMilliseconds);
    const [now, seen] = [Date.now(), await sign()];
    quiet = seen === undefined || seen !== last ? 0 : quiet + Math.min(now - looked, 2 * lookMilliseconds);
    [last, looked] = [seen, now];
    if (now > end) throw new Error(`waited in vain: ${what}`);
  }
}

/** An object as soon as it is as wanted; the error shows how far it came. */
export async function untilObject<T extends KubeObject>(
  client: ApiClient,
  ref: Ref,
  isThere: (object: T) => boolean,
): Promise<T> {
  let last: T | undefined;
  try {
    return await until(`${ref.kind} ${ref.name}`, async () => {
      last = await client.find<T>(ref);
      return last && isThere(last) ? last : undefined;
    });
  } catch (error) {
    throw new Error(`${ref.kind} ${ref.name} never became as wanted; it is ${JSON.stringify(last, undefined, 1)}`, {
      cause: error,
    });
  }
}

/** Waits until an object is gone. */
export async function untilGone(client: ApiClient, ref: Ref): Promise<void> {
  await until(`${ref.kind} ${ref.name} is gone`, async () => {
    try {
      await client.get(ref);
      return undefined;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  });
}
