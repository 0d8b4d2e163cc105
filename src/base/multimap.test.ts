import { expect, test } from 'vitest';
import { Multimap } from './multimap.ts';

const filled = (): Multimap<string> => {
  const map = new Multimap<string>();
  for (const [key, value] of [
    ['app=web', 'b'],
    ['app=web', 'a'],
    ['app=web', 'a'],
    ['app=db', 'c'],
    ['x', 'd'],
  ] as const)
    map.add(key, value);
  return map;
};

test('A key has its values once, in the order in which they came', () => {
  const map = filled();
  expect([...map.of('app=web')]).toEqual(['b', 'a']);
  expect([...map.of('app=db')]).toEqual(['c']);
  expect([...map.of('app=other')]).toEqual([]);
});

test('A key whose values are all deleted is gone', () => {
  const map = filled();
  map.delete('app=web', 'b');
  expect(map.has('app=web')).toBe(true);
  map.delete('app=web', 'a');
  map.delete('app=db', 'other');
  expect([map.has('app=web'), map.has('app=db')]).toEqual([false, true]);
  expect([...map.keys()]).toEqual(['app=db', 'x']);
});

test('Keys are found by a prefix', () => {
  expect([...filled().keysWith('app=')]).toEqual(['app=web', 'app=db']);
});

test('A copy does not follow changes of its source', () => {
  const map = filled();
  const copy = map.copy();
  map.delete('app=web', 'a');
  map.clear();
  expect([...copy.of('app=web')]).toEqual(['b', 'a']);
  expect([...map.keys()]).toEqual([]);
});
