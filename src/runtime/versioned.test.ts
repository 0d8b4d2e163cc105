import { expect, it } from 'vitest';
import type { KubeObject } from '../api/index.ts';
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

it('takes what a read finds at the revision at which it left a watch, but no answer to a write that let it go', () => {
  const at = (resourceVersion: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', uid: 'one', resourceVersion },
  });
  const objects = new VersionedObjects(new ManualClock());
  objects.put('a', at('4'));
  objects.remove('a', { revision: '6' });
  expect(objects.put('a', at('6'))).toBeUndefined();
  expect(objects.put('a', at('5'), { found: true })).toBeUndefined();
  expect(objects.put('a', at('6'), { found: true })).toBeDefined();
});
