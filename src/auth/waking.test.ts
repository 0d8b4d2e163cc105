import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Waking } from './waking.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('work that is woken', () => {
  it('runs once for many wakes, and once more for wakes while it runs', async () => {
    let rounds = 0;
    const loop: Waking = new Waking({
      work: () => {
        rounds++;
        if (rounds === 1) for (let i = 0; i < 5; i++) loop.wake();
        return Promise.resolve();
      },
      onError: () => undefined,
    });
    for (let i = 0; i < 5; i++) loop.wake();
    await loop.settled();
    expect(rounds).toBe(2);
  });

  it('is tried again after a failure that nobody wakes it from', async () => {
    const errors: unknown[] = [];
    let rounds = 0;
    const work = (): Promise<void> => (++rounds < 3 ? Promise.reject(new Error(`round ${rounds}`)) : Promise.resolve());
    const loop = new Waking({ work, onError: (error) => errors.push(error), retryAfter: 1000 });
    loop.wake();
    await loop.settled();
    expect(rounds).toBe(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(rounds).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(rounds).toBe(3);
    expect(errors.map(String)).toEqual(['Error: round 1', 'Error: round 2']);
  });

  it('stops once, without another round, a retry or a word', async () => {
    const errors: unknown[] = [];
    let rounds = 0;
    let stops = 0;
    const loop: Waking = new Waking({
      work: () => {
        rounds++;
        loop.stop();
        loop.stop();
        loop.wake();
        return Promise.reject(new Error('late'));
      },
      onError: (error) => errors.push(error),
      onStop: () => stops++,
    });
    loop.wake();
    await loop.settled();
    await vi.advanceTimersByTimeAsync(5000);
    expect([rounds, stops, errors]).toEqual([1, 1, []]);
  });
});
