import type { WorkQueue } from '../base/index.ts';
import { describe, expect, it } from 'vitest';
import { ManualClock } from './clock.ts';
import { DeferredWork } from './deferred-work.ts';
import { workQueue } from './queue.ts';

/** A queue that gives way to others, which are busy or not. */
function scene(): {
  clock: ManualClock;
  others: { busy: boolean };
  giveWay: DeferredWork;
  queue: WorkQueue;
  taken: string[];
} {
  const clock = new ManualClock();
  const others = { busy: true };
  const giveWay = new DeferredWork({ isBusy: () => others.busy, clock });
  const queue = workQueue({ name: 'test', clock, isOpen: () => giveWay.isOpen() });
  giveWay.listen(() => queue.serve());
  const taken: string[] = [];
  void (async () => {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      taken.push(key);
      queue.done(key);
    }
  })();
  return { clock, others, giveWay, queue, taken };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('work that gives way', () => {
  it('go at once while nobody else works', async () => {
    const { others, queue, taken } = scene();
    others.busy = false;
    queue.add('a');
    await turn();
    expect(taken).toEqual(['a']);
  });

  it('wait while others work, and then do once what was asked many times', async () => {
    const { others, giveWay, queue, taken } = scene();
    for (const key of ['a', 'b', 'a']) queue.add(key);
    giveWay.idle();
    await turn();
    expect([taken, queue.size]).toEqual([[], 2]);
    others.busy = false;
    giveWay.idle();
    await turn();
    expect(taken).toEqual(['a', 'b']);
  });

  it('get a turn when their patience is over, and no more than a turn', async () => {
    const { clock, queue, taken } = scene();
    queue.add('a');
    clock.advance(99);
    await turn();
    expect(taken).toEqual([]);
    clock.advance(1);
    queue.add('b');
    await turn();
    expect(taken).toEqual(['a', 'b']);
    clock.advance(25);
    queue.add('c');
    await turn();
    expect(taken).toEqual(['a', 'b']);
    clock.advance(100);
    await turn();
    expect(taken).toEqual(['a', 'b', 'c']);
  });

  it('do not keep a queue from being emptied at the end', async () => {
    const { queue, taken } = scene();
    queue.add('a');
    await queue.drain();
    expect(taken).toEqual(['a']);
  });
});
