import { expect, test } from 'vitest';
import { remembering } from './memo.ts';

test('the same text is worked on once, also where the answer is undefined', () => {
  const asked: string[] = [];
  const lengthOf = remembering((text) => {
    asked.push(text);
    return text === '' ? undefined : text.length;
  });
  expect([lengthOf('ab'), lengthOf(''), lengthOf('ab'), lengthOf('')]).toEqual([2, undefined, 2, undefined]);
  expect(asked).toEqual(['ab', '']);
});

test('long texts are not kept', () => {
  let asked = 0;
  const count = remembering(() => ++asked);
  const long = 'x'.repeat(201);
  expect([count(long), count(long)]).toEqual([1, 2]);
});

test('too many texts are forgotten', () => {
  const asked: string[] = [];
  const twice = remembering((text) => {
    asked.push(text);
    return text + text;
  }, 2);
  for (const text of ['a', 'b', 'c', 'a']) twice(text);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});
