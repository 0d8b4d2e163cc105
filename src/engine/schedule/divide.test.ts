import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divide, tieOrderOf } from './divide.ts';
import type { Share, TieOrder } from './divide.ts';

const shares = (weights: Readonly<Record<string, number>>): readonly Share[] =>
  Object.entries(weights).map(([name, weight]) => ({ name, weight }));

describe('divide', () => {
  test.each<[string, number, Readonly<Record<string, number>>, TieOrder, Readonly<Record<string, number>>]>([
    ['equal weights', 9, { a: 1, b: 1, c: 1 }, 'ascending', { a: 3, b: 3, c: 3 }],
    ['a remainder goes up by name', 4, { a: 1, b: 1, c: 1 }, 'ascending', { a: 2, b: 1, c: 1 }],
    ['or down by name', 4, { a: 1, b: 1, c: 1 }, 'descending', { a: 1, b: 1, c: 2 }],
    ['one replica goes to the heaviest', 1, { a: 1, b: 2, c: 1 }, 'ascending', { a: 0, b: 1, c: 0 }],
    ['in proportion', 6, { a: 1, b: 2, c: 3 }, 'ascending', { a: 1, b: 2, c: 3 }],
    ['in proportion, many', 600, { a: 1, b: 2, c: 3 }, 'descending', { a: 100, b: 200, c: 300 }],
    ['half rounds towards who has fewer', 2, { a: 3, b: 1 }, 'descending', { a: 1, b: 1 }],
    ['nothing to divide', 0, { a: 1, b: 1 }, 'ascending', { a: 0, b: 0 }],
    ['one party takes all', 7, { a: 5 }, 'ascending', { a: 7 }],
    ['weights far apart', 10, { a: 1000, b: 1 }, 'ascending', { a: 10, b: 0 }],
  ])('%s', (_, replicas, weights, order, seats) => {
    expect(Object.fromEntries(divide(replicas, shares(weights), order))).toEqual(seats);
  });

  test('nobody gets anything among nobody', () => expect(divide(3, [], 'ascending').size).toBe(0));

  test('a billion replicas take no longer than ten', () => {
    const seats = divide(1_000_000_000, shares({ a: 1, b: 2, c: 4 }), 'ascending');
    expect([...seats.values()].reduce((a, b) => a + b)).toBe(1_000_000_000);
  });
});

const anyShares = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 })
  .chain((names) =>
    fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), weight: fc.integer({ min: 1, max: 50 }) }))),
  );
const anyOrder = fc.constantFrom<TieOrder>('ascending', 'descending');

/** The definition, one replica at a time. */
function dealt(replicas: number, parties: readonly Share[], order: TieOrder): ReadonlyMap<string, number> {
  const seats = new Map(parties.map(({ name }) => [name, 0]));
  const of = (name: string): number => seats.get(name) ?? 0;
  for (let i = 0; i < replicas; i++) {
    const [winner] = [...parties].sort(
      (a, b) =>
        b.weight * (2 * of(a.name) + 1) - a.weight * (2 * of(b.name) + 1) ||
        of(a.name) - of(b.name) ||
        (a.name < b.name === (order === 'ascending') ? -1 : 1),
    );
    if (winner) seats.set(winner.name, of(winner.name) + 1);
  }
  return seats;
}

describe('every division', () => {
  test('the head start changes nothing: it equals the definition', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 120 }), anyShares, anyOrder, (replicas, parties, order) => {
        expect(divide(replicas, parties, order)).toEqual(dealt(replicas, parties, order));
      }),
    );
  });

  test('the parts sum up, and the order of the parties is irrelevant', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), anyShares, anyOrder, (replicas, parties, order) => {
        const seats = divide(replicas, parties, order);
        expect([...seats.values()].reduce((a, b) => a + b, 0)).toBe(replicas);
        expect(divide(replicas, [...parties].reverse(), order)).toEqual(seats);
      }),
    );
  });

  test('one replica more takes none from anybody', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), anyShares, anyOrder, (replicas, parties, order) => {
        const fewer = divide(replicas, parties, order);
        const more = divide(replicas + 1, parties, order);
        for (const [name, seats] of fewer) expect(more.get(name)).toBeGreaterThanOrEqual(seats);
      }),
    );
  });
});

test('the order among equals follows the name and nothing else', () => {
  const twins = { namespace: 'default', name: 'web' };
  expect(tieOrderOf({ ...twins, uid: 'a' } as typeof twins)).toBe(tieOrderOf({ ...twins, uid: 'b' } as typeof twins));
  const orders = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => tieOrderOf({ namespace: 'default', name }));
  expect(new Set(orders)).toEqual(new Set(['ascending', 'descending']));
  expect(tieOrderOf({ name: 'web' })).toBe(tieOrderOf({ namespace: '', name: 'web' }));
});
