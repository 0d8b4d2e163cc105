import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { DelayedKeys } from './delayed-keys.ts';

it('gives every key once, at the earliest of its times, in order of time', () => {
  const entry = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.nat(50));
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const later = new DelayedKeys();
      const earliest = new Map<string, number>();
      for (const [key, at] of entries) {
        later.add(key, at);
        earliest.set(key, Math.min(at, earliest.get(key) ?? Infinity));
      }
      expect(later.first).toBe(earliest.size > 0 ? Math.min(...earliest.values()) : undefined);
      const taken: [string, number][] = [];
      for (let now = 0; now <= 50; now++) {
        for (let key = later.take(now); key !== undefined; key = later.take(now)) taken.push([key, now]);
      }
      expect(new Map(taken)).toEqual(earliest);
      expect(taken.length).toBe(earliest.size);
      expect(later.first).toBeUndefined();
    }),
  );
});
