import { setTimeout as sleep } from 'node:timers/promises';
import type { Io } from '../io.ts';

/** Looking may take longer than the pause: at most this share of the time is spent on it. */
const restShare = 3;

/**
 * Shows a text again and again until the user interrupts it: on a terminal in the same place, with the time of the last
 * look; elsewhere below the last one, whenever it has changed.
 */
export async function keepShowing(look: () => Promise<string>, io: Io, interval: number): Promise<void> {
  let last: string | undefined;
  while (!io.interrupted.aborted) {
    const start = Date.now();
    const text = await look();
    if (io.columns !== undefined) io.out(redrawn(`${text}\n${lifeSign(interval)}`));
    else if (text !== last) io.out(`${last === undefined ? '' : '\n'}${text}`);
    last = text;
    const rest = Math.max(interval, restShare * (Date.now() - start));
    await sleep(rest, undefined, { signal: io.interrupted }).catch(() => {});
  }
}

/** The line that shows that the screen is alive, though nothing changes. */
function lifeSign(interval: number): string {
  const time = new Date().toTimeString().slice(0, 8);
  return `last look at ${time}, every ${interval / 1000}s; Ctrl-C ends\n`;
}

/** From the upper left corner, over what was there. */
function redrawn(text: string): string {
  const lines = text.split('\n').map((line) => `${line}\u001B[K`);
  return `\u001B[H${lines.join('\n')}\u001B[J`;
}
