import { expect, test } from 'vitest';
import { refOf } from '../../api/index.ts';
import type { Decision, Reason } from '../../engine/index.ts';
import { DeferredWork, ManualClock } from '../../runtime/index.ts';
import { configMap } from '../../../test/kit/objects.ts';
import { Removals } from './removals.ts';

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

/** Removals that wait for somebody who is busy, until he rests. */
function waiting(): { clock: ManualClock; asked: string[]; removals: Removals; rest: () => void } {
  const [clock, asked] = [new ManualClock(), [] as string[]];
  let busy = true;
  const giveWay = new DeferredWork({ isBusy: () => busy, clock, patienceMilliseconds: 2_000, turnMilliseconds: 250 });
  const removals = new Removals(giveWay, (key) => void asked.push(key));
  const rest = (): void => {
    busy = false;
    giveWay.idle();
  };
  return { clock, asked, removals, rest };
}

test('what takes something away waits while somebody before it is busy, and is asked about when nobody is', () => {
  const { asked, removals, rest } = waiting();
  expect(doneBy(removals.inTime('b', decided()))).toEqual(kept);
  expect(doneBy(removals.inTime('b', decided()))).toEqual(kept);
  expect([asked, removals.idle]).toEqual([[], false]);
  rest();
  expect(asked).toEqual(['b']);
  expect(doneBy(removals.inTime('b', decided()))).toEqual(all);
  expect(removals.idle).toBe(true);
});

test('under a load without end it waits two seconds', () => {
  const { clock, asked, removals } = waiting();
  expect(doneBy(removals.inTime('b', decided()))).toEqual(kept);
  clock.advance(1_999);
  expect(doneBy(removals.inTime('b', decided()))).toEqual(kept);
  expect(asked).toEqual([]);
  clock.advance(1);
  expect(asked).toEqual(['b']);
  expect(doneBy(removals.inTime('b', decided()))).toEqual(all);
  expect(removals.idle).toBe(true);
});

test.each<Reason>(['BindingDeleting', 'PurgeFirst'])('%s does not wait', (because) => {
  const { removals } = waiting();
  expect(doneBy(removals.inTime('b', decided(because)))).toEqual(all);
  expect(removals.idle).toBe(true);
});

test('who is wanted again, or gone, waits no longer', () => {
  const { asked, removals, rest } = waiting();
  for (const key of ['b', 'c', 'd']) removals.inTime(key, decided());
  removals.inTime('b', { actions: [], because: 'UpToDate' });
  removals.forget('c');
  expect(removals.idle).toBe(false);
  rest();
  expect(asked).toEqual(['d']);
});
