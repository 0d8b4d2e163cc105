import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

const loop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('lets one go at a time, the urgent first, and each in the order in which it came', async () => {
  const turns = new Turns();
  const went: string[] = [];
  for (const name of ['a', 'b']) void turns.next(false).then(() => went.push(name));
  for (const name of ['A', 'B']) void turns.next(true).then(() => went.push(name));
  const seen: string[] = [];
  for (let i = 0; i < 4; i++) {
    await loop();
    seen.push(went.join(''));
  }
  expect(seen.at(-1)).toBe('ABab');
  expect(new Set(seen).size).toBe(4);
});

it('lets the others go on while there is always somebody urgent', async () => {
  const turns = new Turns();
  let others = 0;
  const urgent = async (until: () => boolean): Promise<void> => {
    while (!until()) await turns.next(true);
  };
  const other = async (): Promise<void> => {
    for (; others < 5; others++) await turns.next(false);
  };
  await Promise.all([urgent(() => others === 5), urgent(() => others === 5), other()]);
  expect(others).toBe(5);
});

it('is over after a while, and begins with the next', async () => {
  const turns = new Turns();
  expect(turns.isOver).toBe(true);
  await turns.next(false);
  const start = performance.now();
  while (performance.now() - start < 10) continue;
  expect(turns.isOver).toBe(true);
});
