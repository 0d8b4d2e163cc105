import { expect, it } from 'vitest';
import { LoopShare } from './loop-share.ts';

const loop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Number of workers that wait for their turn; returns how many went. */
function waiting(turns: LoopShare, count: number, urgent = false): () => number {
  let went = 0;
  for (let i = 0; i < count; i++) void turns.next(urgent).then(() => went++);
  return () => went;
}

it('calls the urgent first, and each in the order in which it came', async () => {
  const turns = new LoopShare();
  const went: string[] = [];
  await Promise.all(['a', 'b', 'A', 'B'].map((name) => turns.next(name < 'a').then(() => went.push(name))));
  expect(went.join('')).toBe('ABab');
});

it('looks at what has come in after a few, and goes on with the rest', async () => {
  const turns = new LoopShare();
  const went = waiting(turns, 40);
  const counts: number[] = [];
  for (let i = 0; i < 3; i++) {
    await loop();
    counts.push(went());
  }
  expect(counts).toEqual([16, 32, 40]);
});

it('lets some of the others go on, however many are urgent', async () => {
  const turns = new LoopShare();
  const urgent = waiting(turns, 1000, true);
  const others = waiting(turns, 8);
  await loop();
  await loop();
  expect([urgent(), others()]).toEqual([24, 8]);
});

it('starts over with every turn', async () => {
  const turns = new LoopShare();
  expect(turns.isOver).toBe(true);
  const [start] = [performance.now(), await turns.next(false)];
  // Between the two looks at the clock stands the beginning of the turn.
  expect(turns.isOver && performance.now() - start < 4).toBe(false);
});
