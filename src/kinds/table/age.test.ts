import { expect, it } from 'vitest';
import { humanDuration, since } from './age.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

it.each([
  [-3 * second, '<invalid>'],
  [-2 * second, '<invalid>'],
  [-1.9 * second, '0s'],
  [0, '0s'],
  [999, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [2 * minute + 1 * second, '2m1s'],
  [9 * minute + 59 * second, '9m59s'],
  [10 * minute + 59 * second, '10m'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [3 * hour + 5 * minute, '3h5m'],
  [8 * hour + 59 * minute, '8h'],
  [47 * hour, '47h'],
  [48 * hour, '2d'],
  [49 * hour, '2d1h'],
  [7 * day + 23 * hour, '7d23h'],
  [8 * day + 23 * hour, '8d'],
  [729 * day, '729d'],
  [730 * day, '2y'],
  [731 * day, '2y1d'],
  [8 * 365 * day + 5 * day, '8y'],
])('%d ms is %s', (milliseconds, expected) => {
  expect(humanDuration(milliseconds)).toBe(expected);
});

it.each([
  [undefined, '<unknown>'],
  ['2026-01-01T00:00:00Z', '60s'],
  ['2026-01-01T00:00:00.500000Z', '59s'],
  ['yesterday', '<invalid>'],
])('since %s', (timestamp, expected) => {
  expect(since(timestamp, Date.parse('2026-01-01T00:01:00Z'))).toBe(expected);
});
