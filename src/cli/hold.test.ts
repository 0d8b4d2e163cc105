import { expect, test } from 'vitest';
import { heldWords, suspensionOf, untilOf, withLess, withMore } from './hold.ts';

const everybody = ['a', 'b', 'c'];

test('more is held', () => {
  expect(withMore([], undefined)).toBe('all');
  expect(withMore(['b'], ['a', 'b'])).toEqual(['a', 'b']);
  expect(withMore('all', ['a'])).toBe('all');
});

test('less is held; of all, those that are left', () => {
  expect(withLess('all', undefined, everybody)).toEqual([]);
  expect(withLess('all', ['b'], everybody)).toEqual(['a', 'c']);
  expect(withLess(['a', 'b'], ['b', 'c'], everybody)).toEqual(['a']);
});

test('a suspension says one thing only', () => {
  expect(suspensionOf('all')).toEqual({ suspendDispatching: true });
  expect(suspensionOf(['a'])).toEqual({ suspendDispatchingOnClusters: { clusterNames: ['a'] } });
  expect(suspensionOf([])).toBeUndefined();
  expect([heldWords('all'), heldWords(['a', 'b']), heldWords([])]).toEqual(['on all members', 'on a, b', 'nowhere']);
});

test('an end is a time or a while from now, and lies ahead', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(untilOf('90m', now)).toBe('2026-01-01T01:30:00Z');
  expect(untilOf('2026-01-02T00:00:00+01:00', now)).toBe('2026-01-01T23:00:00Z');
  expect(() => untilOf('2025-12-31T00:00:00Z', now)).toThrow('is over already');
  expect(() => untilOf('tomorrow', now)).toThrow('is no time');
});
