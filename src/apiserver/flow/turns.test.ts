import { expect, test } from 'vitest';
import { HeavyTurns } from './turns.ts';

test('flows take turns, one request at a time, and the loop goes on between them', async () => {
  const turns = new HeavyTurns();
  const log: string[] = [];
  let running = 0;
  const work = async (flow: string): Promise<void> => {
    const end = await turns.next(flow);
    expect(++running).toBe(1);
    log.push(flow);
    await Promise.resolve();
    running--;
    end();
  };
  const all = [...['a', 'a', 'a', 'a'].map(work), work('b')];
  let looks = 0;
  const look = (): void => {
    looks++;
    if (log.length < 5) setImmediate(look);
  };
  look();
  await Promise.all(all);
  expect(log).toEqual(['a', 'b', 'a', 'a', 'a']);
  expect(looks).toBeGreaterThanOrEqual(5);
  expect(turns.waiting).toBe(0);
});

test('after work that took long there is a pause as long', async () => {
  const turns = new HeavyTurns();
  const busy = (milliseconds: number): void => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  };
  const first = await turns.next('a');
  const second = turns.next('a');
  busy(20);
  first();
  const ended = performance.now();
  (await second)();
  expect(performance.now() - ended).toBeGreaterThanOrEqual(18);
});
