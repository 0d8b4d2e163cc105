import { expect, test } from 'vitest';
import { timestamp, wallClock } from './clock.ts';

test('a timer for months does not ring at once', async () => {
  let rang = false;
  const cancel = wallClock.after(90 * 24 * 60 * 60 * 1000, () => (rang = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  cancel();
  expect(rang).toBe(false);
});

test('time is told to the second', () => {
  expect(timestamp(Date.parse('2026-01-02T03:04:05.678Z'))).toBe('2026-01-02T03:04:05Z');
});
