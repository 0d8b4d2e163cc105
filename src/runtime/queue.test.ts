import type { WorkQueue } from '../base/index.ts';
import { describe, expect, it } from 'vitest';
import { Metrics } from '../observe/index.ts';
import { ManualClock } from './clock.ts';
import type { QueueOptions } from './queue.ts';
import { workQueue } from './queue.ts';

function queueOf(options: Partial<QueueOptions> = {}): { clock: ManualClock; queue: WorkQueue } {
  const clock = new ManualClock();
  return { clock, queue: workQueue({ name: 'test', clock, random: () => 1, ...options }) };
}

/** Takes and finishes everything that waits for a worker. */
async function served(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.size > 0) {
    const key = (await queue.take()) ?? '';
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

describe('a queue', () => {
  it('serves in the order of arrival, each key once', async () => {
    const { queue } = queueOf();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect(await served(queue)).toEqual(['a', 'b', 'c']);
  });

  it('gives a key to a worker that waits already', async () => {
    const { queue } = queueOf();
    const first = queue.take();
    const second = queue.take();
    queue.add('a');
    queue.add('b');
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
  });

  it('never gives out a key that is worked on, and gives it out once when that is done', async () => {
    const { queue } = queueOf();
    queue.add('a');
    expect(await queue.take()).toBe('a');
    queue.add('a');
    queue.add('a', 'high');
    let taken: string | undefined;
    const next = queue.take().then((key) => (taken = key));
    await Promise.resolve();
    expect(taken).toBeUndefined();
    queue.done('a');
    await next;
    expect(taken).toBe('a');
    queue.done('a');
    expect([queue.size, queue.active]).toEqual([0, 0]);
  });

  it('keeps some workers for what is urgent', async () => {
    const { queue } = queueOf();
    const urgent = queue.take('high');
    queue.add('a');
    queue.add('b', 'high');
    expect(await urgent).toBe('b');
    queue.add('c', 'high');
    expect(await queue.take('high')).toBe('c');
    expect(await queue.take()).toBe('a');
    const last = queue.take('high');
    for (const key of ['a', 'b', 'c']) queue.done(key);
    await queue.stop();
    expect(await last).toBeUndefined();
  });

  it('tells when nothing waits any more and nobody works', async () => {
    let idleCount = 0;
    const { queue } = queueOf({ onRest: () => idleCount++ });
    for (const key of ['a', 'b']) queue.add(key);
    await queue.take();
    queue.add('a');
    await queue.take();
    queue.done('b');
    queue.done('a');
    expect(idleCount).toBe(0);
    expect(await served(queue)).toEqual(['a']);
    expect(idleCount).toBe(1);
  });

  it('lets a user go first, and moves a waiting key up but never down', async () => {
    const { queue } = queueOf();
    queue.add('list1', 'low');
    queue.add('list2', 'low');
    queue.add('event');
    queue.add('edit', 'high');
    queue.add('list2', 'high');
    queue.add('edit', 'low');
    expect(await served(queue)).toEqual(['edit', 'list2', 'event', 'list1']);
  });

  it('serves a higher level first within a priority, and moves a key whose level changes', async () => {
    const levels: Record<string, number> = { plain: 0, gold: 1000, bulk: -1, silver: 10 };
    const { queue } = queueOf({ levelOf: (key) => levels[key] ?? 0 });
    for (const key of ['bulk', 'plain', 'silver', 'gold']) queue.add(key);
    queue.add('edit', 'high');
    levels['plain'] = 100;
    queue.add('plain');
    expect(await served(queue)).toEqual(['edit', 'gold', 'plain', 'silver', 'bulk']);
  });

  it('lets nobody starve', async () => {
    const { queue } = queueOf();
    queue.add('low', 'low');
    queue.add('normal');
    const order: string[] = [];
    for (let i = 0; i < 40; i++) {
      queue.add(`high${i}`, 'high');
      const key = (await queue.take()) ?? '';
      order.push(key);
      queue.done(key);
    }
    expect(order.indexOf('normal')).toBe(8);
    expect(order.indexOf('low')).toBe(16);
  });

  it('adds a key when its time has come, at the earliest of its times', async () => {
    const { clock, queue } = queueOf();
    queue.addAfter('a', 1000);
    queue.addAfter('a', 500);
    queue.addAfter('a', 2000);
    queue.addAt('b', clock.now() + 600);
    queue.addAt('past', clock.now() - 1);
    expect(await served(queue)).toEqual(['past']);
    clock.advance(499);
    expect(queue.size).toBe(0);
    clock.advance(101);
    expect(await served(queue)).toEqual(['a', 'b']);
    clock.advance(10_000);
    expect([queue.size, queue.waiting, clock.alarms]).toEqual([0, 0, 0]);
  });

  it('makes a failing key wait longer each time, up to the longest, and forgets when it succeeds', () => {
    const { queue } = queueOf({ longestMilliseconds: 100 });
    expect([1, 2, 3, 4, 5, 6, 7].map(() => queue.addLimited('a'))).toEqual([5, 10, 20, 40, 80, 100, 100]);
    expect(queue.addLimited('b')).toBe(5);
    queue.forget('a');
    expect(queue.addLimited('a')).toBe(5);
  });

  it('waits a little less by chance, so that keys that failed together do not come together', () => {
    const { queue } = queueOf({ random: () => 0 });
    expect(queue.addLimited('a')).toBe(3.75);
  });

  it('keeps the default waits: from 5 ms up to 1000 s', () => {
    const { queue } = queueOf();
    const waits = Array.from({ length: 60 }, () => queue.addLimited('a'));
    expect([waits[0], waits.at(-1)]).toEqual([5, 1_000_000]);
  });

  it('drains: finishes what waits for a worker, drops what waits for its time, takes nothing more', async () => {
    const { clock, queue } = queueOf();
    queue.add('a');
    queue.add('b');
    queue.addAfter('later', 10);
    const a = await queue.take();
    let drained = false;
    const drain = queue.drain().then(() => (drained = true));
    queue.add('c');
    clock.advance(100);
    queue.done(a ?? '');
    expect(await queue.take()).toBe('b');
    await Promise.resolve();
    expect(drained).toBe(false);
    queue.done('b');
    await drain;
    expect(await queue.take()).toBeUndefined();
  });

  it('stops: gives out nothing more and waits only for what is worked on', async () => {
    const { queue } = queueOf();
    queue.add('a');
    queue.add('b');
    await queue.take();
    const stopped = queue.stop();
    expect(await queue.take()).toBeUndefined();
    queue.done('a');
    await stopped;
  });

  it('dismisses workers that wait', async () => {
    const { queue } = queueOf();
    const waiting = queue.take();
    await queue.drain();
    expect(await waiting).toBeUndefined();
  });

  it('counts', async () => {
    const metrics = new Metrics();
    const { clock, queue } = queueOf({ metrics });
    queue.add('a', 'high');
    queue.add('b');
    expect(metrics.text()).toContain('sluice_queue_depth{queue="test",priority="high"} 1');
    clock.advance(2000);
    await queue.take();
    queue.addLimited('a');
    const text = metrics.text();
    expect(text).toContain('sluice_queue_adds_total{queue="test"} 2');
    expect(text).toContain('sluice_queue_retries_total{queue="test"} 1');
    expect(text).toContain('sluice_queue_seconds_sum{queue="test",priority="high"} 2');
  });
});
