import { expect, test } from 'vitest';
import { refOf } from '../../api/index.ts';
import type { Decision, Reason } from '../../engine/index.ts';
import { ManualClock } from '../../runtime/index.ts';
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

function waiting(): { clock: ManualClock; asked: string[]; removals: Removals; busy: { is: boolean } } {
  const [clock, asked, busy] = [new ManualClock(), [] as string[], { is: true }];
  const removals = new Removals({ clock, isBusy: () => busy.is, ask: (key) => void asked.push(key) });
  return { clock, asked, removals, busy };
}

test('what takes something away waits while somebody before it is busy, and is asked about when nobody is', () => {
  const { clock, asked, removals, busy } = waiting();
  expect(doneBy(removals.inTime('b', decided()))).toEqual(kept);
  expect(removals.idle).toBe(false);
  clock.advance(100);
  expect(asked).toEqual([]);
  expect(doneBy(removals.inTime('b', decided()))).toEqual(kept);
  busy.is = false;
  clock.advance(20);
  expect(asked).toEqual(['b']);
  expect(doneBy(removals.inTime('b', decided()))).toEqual(all);
  expect(removals.idle).toBe(true);
  clock.advance(20);
  expect([asked, clock.alarms]).toEqual([['b'], 0]);
});

test('under a load without end it waits two seconds', () => {
  const { clock, asked, removals } = waiting();
  expect(doneBy(removals.inTime('b', decided()))).toEqual(kept);
  clock.advance(1_990);
  expect(doneBy(removals.inTime('b', decided()))).toEqual(kept);
  expect(asked).toEqual([]);
  clock.advance(10);
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
  const { clock, asked, removals, busy } = waiting();
  for (const key of ['b', 'c', 'd']) removals.inTime(key, decided());
  removals.inTime('b', { actions: [], because: 'UpToDate' });
  removals.forget('c');
  expect(removals.idle).toBe(false);
  busy.is = false;
  clock.advance(20);
  expect(asked).toEqual(['d']);
  removals.close();
  expect(removals.idle).toBe(true);
  expect(clock.alarms).toBe(0);
});
