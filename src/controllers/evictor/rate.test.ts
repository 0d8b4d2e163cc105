import { expect, test } from 'vitest';
import { EvictionRate } from './rate.ts';

test('bindings take turns, each once, and the first does not wait', () => {
  const clock = { time: 10_000, now: () => clock.time };
  const rate = new EvictionRate(clock, 0.5);
  expect([rate.wait('a'), rate.wait('b'), rate.wait('c')]).toEqual([0, 2_000, 4_000]);
  clock.time += 1_000;
  expect([rate.wait('b'), rate.wait('c'), rate.waiting]).toEqual([1_000, 3_000, 2]);
  clock.time += 1_000;
  expect([rate.wait('b'), rate.waiting]).toEqual([0, 1]);
  rate.forget('c');
  clock.time += 60_000;
  expect([rate.wait('d'), rate.wait('e')]).toEqual([0, 2_000]);
});
