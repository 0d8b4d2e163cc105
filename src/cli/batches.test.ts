import { expect, test } from 'vitest';
import { batchesOf } from './batches.ts';

const items = [1, 2, 3, 4, 5];

test.each([
  [undefined, [5]],
  ['2', [2, 2, 1]],
  ['9', [5]],
  ['40%', [2, 2, 1]],
  ['1%', [1, 1, 1, 1, 1]],
  ['100%', [5]],
])('batches of %s', (batch, sizes) => {
  const batches = batchesOf(items, batch);
  expect(batches.map((part) => part.length)).toEqual(sizes);
  expect(batches.flat()).toEqual(items);
});

test('nothing has no batches', () => expect(batchesOf([], undefined)).toEqual([]));

test.each(['0', '0%', '101%', 'half', '-1', '1.5'])('%s is no batch', (batch) =>
  expect(() => batchesOf(items, batch)).toThrow('--batch'),
);
