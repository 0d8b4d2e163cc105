import { wallClock } from '../observe/index.ts';
import { timestamp } from '../base/index.ts';
import { expect, test, vi } from 'vitest';

test('a timer for months does not ring at once', () => {
  vi.useFakeTimers();
  try {
    const rang = vi.fn();
    wallClock.after(90 * 24 * 60 * 60 * 1000, rang);
    vi.advanceTimersByTime(60_000);
    expect(rang).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});

test('time is told to the second', () => {
  expect(timestamp(Date.parse('2026-01-02T03:04:05.678Z'))).toBe('2026-01-02T03:04:05Z');
});
