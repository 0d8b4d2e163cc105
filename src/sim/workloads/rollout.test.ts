import { expect, test } from 'vitest';
import type { ReplicaSet } from '../cluster/objects.ts';
import { currentSize, fencesOf, oldSizes, resolved } from './rollout.ts';

const set = (replicas: number, available = replicas): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'x' },
  spec: { replicas, selector: {}, template: { spec: { containers: [] } } },
  status: { replicas, availableReplicas: available },
});

test.each([
  [{}, 4, 1, 1],
  [{}, 3, 1, 0],
  [{ maxSurge: 0, maxUnavailable: 0 }, 4, 0, 1],
  [{ maxSurge: '100%', maxUnavailable: 0 }, 3, 3, 0],
  [{ maxSurge: 2, maxUnavailable: '50%' }, 5, 2, 2],
])('the fences %j of %i replicas', (rolling, replicas, maxSurge, maxUnavailable) =>
  expect(fencesOf(rolling, replicas)).toEqual({ maxSurge, maxUnavailable }),
);

test('a value that is neither a number nor a percentage counts as absent', () =>
  expect(resolved('many', 5, Math.ceil)).toBe(0));

const fences = { maxSurge: 1, maxUnavailable: 1 };

test.each([
  ['begins with the surge, and with what may be missing', { replicas: 4, current: set(0), old: [set(4)] }, 1, [3]],
  ['takes nothing more from the old until the new work', { replicas: 4, current: set(1, 0), old: [set(3)] }, 2, [3]],
  ['fills up as the old go', { replicas: 4, current: set(1, 1), old: [set(3)] }, 2, [2]],
  ['waits for the new to work', { replicas: 4, current: set(2, 0), old: [set(3)] }, 2, [3]],
  ['lets broken old ones go first', { replicas: 4, current: set(0), old: [set(2, 2), set(2, 0)] }, 1, [2, 1]],
  ['ends with the new alone', { replicas: 4, current: set(4, 4), old: [set(1)] }, 4, [0]],
  ['shrinks what is too large', { replicas: 2, current: set(5, 5), old: [] }, 2, []],
])('a rollout %s', (_, state, current, old) => {
  expect(currentSize({ ...state, fences })).toBe(current);
  expect(oldSizes({ ...state, fences })).toEqual(old);
});
