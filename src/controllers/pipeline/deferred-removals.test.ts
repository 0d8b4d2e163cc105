import { expect, test } from 'vitest';
import { refOf } from '../../api/index.ts';
import type { Decision, Reason } from '../../engine/index.ts';
import { DeferredWork, ManualClock } from '../../runtime/index.ts';
import { configMap } from '../../../test/kit/objects.ts';
import { DeferredRemovals } from './deferred-removals.ts';

const object = configMap('settings');
const decided = (because: Reason = 'Removed'): Decision => ({
  because,
  actions: [
    { do: 'render', write: { verb: 'update', object } },
    { do: 'remove', write: { verb: 'delete', ref: refOf(object) } },
  ],
});
const doneBy = ({ actions }: Decision): readonly string[] => actions.map(({ do: what }) => what);
const [all, kept] = [['render', 'remove'], ['render']];

/** Removals that wait for another question, until its queue is empty. */
function waiting(): { clock: ManualClock; asked: string[]; removals: DeferredRemovals; idle: () => void } {
  const [clock, asked] = [new ManualClock(), [] as string[]];
  let busy = true;
  const giveWay = new DeferredWork({ isBusy: () => busy, clock, patienceMilliseconds: 2_000, turnMilliseconds: 250 });
  const removals = new DeferredRemovals(giveWay, (key) => void asked.push(key));
  const idle = (): void => {
    busy = false;
    giveWay.idle();
  };
  return { clock, asked, removals, idle };
}

test('removals wait while a question before them is busy, and are asked about when none is', () => {
  const { asked, removals, idle } = waiting();
  expect(doneBy(removals.now('b', decided()))).toEqual(kept);
  expect(doneBy(removals.now('b', decided()))).toEqual(kept);
  expect([asked, removals.idle]).toEqual([[], false]);
  idle();
  expect(asked).toEqual(['b']);
  expect(doneBy(removals.now('b', decided()))).toEqual(all);
  expect(removals.idle).toBe(true);
});

test('under constant load removals wait two seconds', () => {
  const { clock, asked, removals } = waiting();
  expect(doneBy(removals.now('b', decided()))).toEqual(kept);
  clock.advance(1_999);
  expect(doneBy(removals.now('b', decided()))).toEqual(kept);
  expect(asked).toEqual([]);
  clock.advance(1);
  expect(asked).toEqual(['b']);
  expect(doneBy(removals.now('b', decided()))).toEqual(all);
  expect(removals.idle).toBe(true);
});

test.each<Reason>(['BindingDeleting', 'PurgeFirst'])('%s does not wait', (because) => {
  const { removals } = waiting();
  expect(doneBy(removals.now('b', decided(because)))).toEqual(all);
  expect(removals.idle).toBe(true);
});

test('an object that is wanted again, or gone, waits no longer', () => {
  const { asked, removals, idle } = waiting();
  for (const key of ['b', 'c', 'd']) removals.now(key, decided());
  removals.now('b', { actions: [], because: 'UpToDate' });
  removals.forget('c');
  expect(removals.idle).toBe(false);
  idle();
  expect(asked).toEqual(['d']);
});
