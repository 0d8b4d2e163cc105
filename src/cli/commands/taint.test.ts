import { expect, test } from 'vitest';
import { tainted, taintOf } from './taint.ts';

test.each([
  ['a=b:NoSchedule', { key: 'a', value: 'b', effect: 'NoSchedule', remove: false }],
  ['a:NoExecute', { key: 'a', effect: 'NoExecute', remove: false }],
  ['a:NoExecute-', { key: 'a', effect: 'NoExecute', remove: true }],
  ['example.com/a-b-', { key: 'example.com/a-b', remove: true }],
])('%s', (text, taint) => expect(taintOf(text)).toEqual(taint));

test.each(['a', 'a=b', 'a:Never', ':NoSchedule', '', 'a=b:'])('%j is not a taint', (text) =>
  expect(() => taintOf(text)).toThrow('is not a taint'),
);

test('a key is taken away with all its effects', () => {
  const present = [
    { key: 'a', effect: 'NoSchedule' },
    { key: 'a', effect: 'NoExecute' },
    { key: 'b', effect: 'NoSchedule' },
  ] as const;
  expect(tainted(present, taintOf('a-'), false)).toEqual([present[2]]);
  expect(tainted(present, taintOf('a:NoExecute-'), false)).toEqual([present[0], present[2]]);
  expect(() => tainted(present, taintOf('c-'), false)).toThrow('there is no taint c');
});
