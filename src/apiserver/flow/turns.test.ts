import { expect, test } from 'vitest';
import type { Waiter } from './queues.ts';
import { HeavyTurns } from './turns.ts';

/** Resolves when it is the flow's turn, with what ends it. */
function turnOf(turns: HeavyTurns, flow: string): Promise<() => void> {
  return new Promise((resolve) => {
    turns.enqueue({ flow, width: 2, start: (end = () => {}) => resolve(end) });
  });
}

test('flows take turns, one request at a time, and the loop goes on between them', async () => {
  const turns = new HeavyTurns();
  const log: string[] = [];
  let running = 0;
  const work = async (flow: string): Promise<void> => {
    const end = await turnOf(turns, flow);
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
  const first = await turnOf(turns, 'a');
  const second = turnOf(turns, 'a');
  busy(20);
  first();
  const ended = performance.now();
  (await second)();
  expect(performance.now() - ended).toBeGreaterThanOrEqual(18);
});

test('a flow has so many requests waiting and no more, and one that leaves gives its place to another', () => {
  const turns = new HeavyTurns();
  const waiter = (): Waiter => ({ flow: 'a', width: 2, start: () => {} });
  const all = Array.from({ length: 51 }, waiter);
  expect(all.filter((one) => turns.enqueue(one))).toHaveLength(50);
  expect(turns.enqueue({ ...waiter(), flow: 'b' })).toBe(true);
  for (const one of all.slice(0, 49)) turns.leave(one);
  expect(turns.waiting).toBe(2);
  expect(turns.enqueue(waiter())).toBe(true);
});
