import { describe, expect, test } from 'vitest';
import type { PriorityLevel } from './levels.ts';
import { SeatQueues } from './queues.ts';

const level = (more: Partial<PriorityLevel> = {}): PriorityLevel => ({
  name: 'test',
  shares: 1,
  queues: 64,
  handSize: 6,
  queueLength: 50,
  ...more,
});

/** Enqueues a request of a flow and tells when it starts. */
function ask(queues: SeatQueues, flow: string, log: string[], width = 1): boolean {
  return queues.enqueue({ flow, width, start: () => void log.push(flow) });
}

describe('SeatQueues', () => {
  test('gives out no more seats than there are, and the next when one is given back', () => {
    const queues = new SeatQueues(level(), 2);
    const log: string[] = [];
    for (const flow of ['a', 'b', 'c', 'd']) ask(queues, flow, log);
    expect([log.length, queues.used, queues.waiting]).toEqual([2, 2, 2]);
    queues.release(1);
    expect([log.length, queues.used, queues.waiting]).toEqual([3, 2, 1]);
  });

  test('a flow with one request waits for a few of another that has hundreds, not for all', () => {
    const queues = new SeatQueues(level(), 1);
    const log: string[] = [];
    queues.take(1);
    while (ask(queues, 'elephant', log));
    expect(queues.waiting).toBe(300);
    expect(ask(queues, 'mouse', log)).toBe(true);
    for (let i = 0; i < 10; i++) queues.release(1);
    expect(log).toContain('mouse');
  });

  test('a flow that fills its queues is refused while others still wait', () => {
    const queues = new SeatQueues(level({ queueLength: 1 }), 1);
    const log: string[] = [];
    queues.take(1);
    while (ask(queues, 'elephant', log));
    expect(ask(queues, 'elephant', log)).toBe(false);
    const others = Array.from({ length: 20 }, (_, i) => ask(queues, `mouse-${i}`, log));
    expect(others.filter(Boolean).length).toBeGreaterThan(15);
  });

  test('a wide request takes as many seats, and one wider than all runs alone', () => {
    const queues = new SeatQueues(level(), 4);
    const log: string[] = [];
    expect(queues.take(3)).toBe(true);
    expect(queues.take(2)).toBe(false);
    ask(queues, 'wide', log, 10);
    expect(log).toEqual([]);
    queues.release(3);
    expect([log, queues.used]).toEqual([['wide'], 10]);
    expect(queues.take(1)).toBe(false);
  });

  test('a request that leaves its queue is not started', () => {
    const queues = new SeatQueues(level(), 1);
    const log: string[] = [];
    queues.take(1);
    const waiter = { flow: 'a', width: 1, start: () => void log.push('a') };
    queues.enqueue(waiter);
    queues.leave(waiter);
    queues.release(1);
    expect([log, queues.waiting, queues.used]).toEqual([[], 0, 0]);
  });

  test('a level without queues refuses at once', () => {
    const queues = new SeatQueues(level({ queues: 0, handSize: 0, queueLength: 0 }), 1);
    expect(queues.take(1)).toBe(true);
    expect(ask(queues, 'a', [])).toBe(false);
  });
});
