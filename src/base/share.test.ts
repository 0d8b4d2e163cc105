import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equal, freeze } from './json.ts';
import { share } from './share.ts';

const spec = freeze({ replicas: 2, template: { containers: [{ name: 'a', image: 'x' }, { name: 'b' }] }, empty: {} });

describe('sharing with a model', () => {
  test('is the model itself when all is equal', () => {
    expect(share(freeze(structuredClone(spec)), spec)).toBe(spec);
    expect(share(freeze([1, [2]]), freeze([1, [2]]))).toEqual([1, [2]]);
  });

  test('is every part that is equal, and nothing else', () => {
    const value = freeze({ ...structuredClone(spec), replicas: 3, status: { ready: 1 } });
    const shared = share(value, spec);
    expect(shared).toEqual(value);
    expect([shared.template === spec.template, shared.status === value.status]).toEqual([true, true]);
    expect(Object.isFrozen(shared)).toBe(true);
  });

  test('leaves what has nothing in common as it is', () => {
    const value = freeze({ a: { b: 1 } });
    expect(share(value, freeze({ c: 1 }))).toBe(value);
    expect(share(value, undefined)).toBe(value);
    expect(share(freeze({ a: [] }), freeze({ a: {} }))).toEqual({ a: [] });
    expect(share(freeze({ a: 1 }), freeze({ a: 1, b: 2 }))).toEqual({ a: 1 });
  });

  test('never changes the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [value, model] = [freeze({ a, b }), freeze({ a, c: b })];
        const shared = share(value, model);
        expect(equal(shared, value)).toBe(true);
        expect(shared).toEqual(value);
      }),
    );
  });
});
