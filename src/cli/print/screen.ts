import { setTimeout as sleep } from 'node:timers/promises';
import type { Io } from '../io.ts';

/** Looking may take longer than the pause: at most this share of the time is spent on it. */
const restShare = 3;

/**
 * Shows a text again whenever it has changed, until the user has seen enough: in the same place on a terminal, below
 * the last one elsewhere.
 */
export async function keepShowing(look: () => Promise<string>, io: Io, interval: number): Promise<void> {
  let last: string | undefined;
  while (!io.interrupted.aborted) {
    const start = Date.now();
    const text = await look();
    if (text !== last) io.out(io.columns === undefined ? `${last === undefined ? '' : '\n'}${text}` : redrawn(text));
    last = text;
    const rest = Math.max(interval, restShare * (Date.now() - start));
    await sleep(rest, undefined, { signal: io.interrupted }).catch(() => {});
  }
}

/** From the upper left corner, over what was there. */
function redrawn(text: string): string {
  const lines = text.split('\n').map((line) => `${line}\u001B[K`);
  return `\u001B[H${lines.join('\n')}\u001B[J`;
}
