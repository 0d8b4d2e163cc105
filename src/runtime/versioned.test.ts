import { expect, it } from 'vitest';
import { ManualClock } from './clock.ts';
import { VersionedObjects } from './versioned.ts';

it('forgets tombstones when no watch can be that late any more', () => {
  const clock = new ManualClock();
  const objects = new VersionedObjects(clock);
  objects.remove('a', { revision: '5' });
  clock.advance(9 * 60_000);
  objects.remove('b', { revision: '6' });
  expect(objects.tombstones).toBe(2);
  clock.advance(2 * 60_000);
  objects.remove('c', { revision: '7' });
  expect(objects.tombstones).toBe(2);
});
