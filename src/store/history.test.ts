import { asyncProperty, assert, array, boolean, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { History } from './history.ts';
import { memoryStore } from './memory.ts';
import { Ordered } from './ordered.ts';
import { defaultRetention, RetentionClock } from './retention.ts';
import { bytesOf, Version } from './version.ts';

const names = ['/', '/a', '/a/', '/a/b', '/a/c', '/b', '/b/x', '/c\uffff', '/c\uffffd', '/d'];

describe('Ordered', () => {
  test('is a sorted array, whatever is put in and taken out', () => {
    const step = record({ key: integer({ min: 0, max: 3000 }).map((n) => `/${n}`), add: boolean() });
    const steps = array(step, { maxLength: 6000, size: 'max' });
    assert(
      property(steps, constantFrom('', '/', '/1', '/29', '/x'), (all, prefix) => {
        const ordered = new Ordered<{ key: string }>();
        const model = new Map<string, { key: string }>();
        for (const { key, add } of all) {
          if (!add) ordered.remove(key);
          else if (!model.has(key)) ordered.insert({ key });
          if (add) model.set(key, { key });
          else model.delete(key);
        }
        const sorted = [...model.keys()].sort();
        const walked: string[] = [];
        ordered.walk(ordered.seek(''), (item) => walked.push(item.key) > 0);
        expect(walked).toEqual(sorted);
        expect(ordered.size).toBe(sorted.length);
        const matching = sorted.filter((key) => key.startsWith(prefix));
        expect(ordered.distance(ordered.seek(prefix), ordered.seekEnd(prefix))).toBe(matching.length);
        const [first = ''] = matching;
        expect(ordered.distance(ordered.seekAfter(first), ordered.seekEnd(''))).toBe(
          sorted.filter((key) => key > first).length,
        );
      }),
      { numRuns: 20 },
    );
  });
});

/** Every state that the store went through, kept the simple way. */
function statesOf(changes: readonly { key: string; dies: boolean }[]): Map<string, number>[] {
  const states = [new Map<string, number>()];
  for (const { key, dies } of changes) {
    const state = new Map(states.at(-1));
    if (dies && state.has(key)) state.delete(key);
    else state.set(key, states.length);
    states.push(state);
  }
  return states;
}

function filtered(state: Map<string, number>, prefix: string): [string, number][] {
  return [...state].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
}

function historyOf(count: number, size: number): History {
  const history = new History();
  for (let revision = 1; revision <= count; revision++) {
    history.apply(new Version({ key: '/a', revision, created: 1, bytes: bytesOf('x'.repeat(size)) }));
  }
  return history;
}

describe('the past', () => {
  const change = record({ key: constantFrom(...names), dies: boolean() });

  test('can be listed, in pages, as it was at each revision that is not compacted', async () => {
    const cases = [array(change, { maxLength: 40 }), integer({ min: 0, max: 40 }), constantFrom('', ...names)] as const;
    const limits = integer({ min: 1, max: 4 });
    await assert(
      asyncProperty(...cases, limits, async (changes, compacted, prefix, limit) => {
        const store = memoryStore();
        for (const { key, dies } of changes) {
          if (dies && store.get(key)) await store.write({ verb: 'delete', key });
          else await store.write({ verb: 'put', key, value: {} });
        }
        const states = statesOf(changes);
        const from = Math.min(compacted, changes.length);
        await store.compact(from);
        for (let at = from; at < states.length; at++) {
          const expected = filtered(states[at] ?? new Map(), prefix);
          const seen: [string, number][] = [];
          let page = store.list(prefix, { at, limit });
          for (;;) {
            seen.push(...page.entries.map((entry): [string, number] => [entry.key, entry.revision]));
            expect(page.remaining).toBe(expected.length - seen.length);
            if (page.next === undefined) break;
            page = store.list(prefix, { at, limit, after: page.next });
          }
          expect(seen).toEqual(expected);
        }
        expect(store.count(prefix)).toBe(filtered(states.at(-1) ?? new Map(), prefix).length);
        await store.close();
      }),
    );
  });

  test('weighs nothing once it is compacted', () => {
    const history = historyOf(100, 1000);
    expect(history.weight).toBeGreaterThan(99_000);
    history.compact(100);
    expect([history.weight, history.length, history.get('/a')?.revision]).toEqual([0, 0, 100]);
    expect(history.get('/a')?.previous).toBeUndefined();
    history.apply(new Version({ key: '/a', revision: 101, created: 1, bytes: bytesOf('{}') }, true));
    expect([history.keys, history.versions().length]).toEqual([1, 2]);
    history.compact(101);
    expect([history.keys, history.versions().length, history.weight]).toEqual([0, 0, 0]);
  });

  test.each([
    { bounds: { bytes: 1e9, changes: 1000 }, from: 0 },
    { bounds: { bytes: 1e9, changes: 30 }, from: 70 },
    { bounds: { bytes: 12_560, changes: 1000 }, from: 90 },
    { bounds: { bytes: 0, changes: 0 }, from: 100 },
  ])('fits $bounds from revision $from', ({ bounds, from }) => {
    expect(historyOf(100, 1000).fitting(bounds)).toBe(from);
  });

  test('is due when it is old enough, not before', () => {
    const clock = new RetentionClock({ ...defaultRetention, age: 100 });
    const history = historyOf(10, 10);
    expect(clock.byAge(history, 1000)).toBe(0);
    for (let revision = 11; revision <= 20; revision++) {
      history.apply(new Version({ key: '/b', revision, created: 11, bytes: bytesOf('{}') }));
    }
    expect(clock.byAge(history, 1050)).toBe(0);
    expect(clock.byAge(history, 1099)).toBe(0);
    expect(clock.byAge(history, 1100)).toBe(10);
    history.compact(10);
    expect(clock.byAge(history, 1149)).toBe(10);
    expect(clock.byAge(history, 1150)).toBe(20);
  });
});

test('a value is parsed once while it is in use, and frozen', () => {
  const version = new Version({ key: '/a', revision: 1, created: 1, bytes: bytesOf('{"a":{"b":"ü"}}') });
  const value = version.value as { a: object };
  expect(value).toEqual({ a: { b: 'ü' } });
  expect([version.value === value, Object.isFrozen(value.a)]).toEqual([true, true]);
});
