import * as fc from 'fast-check';
import { test } from 'vitest';

/**
 * How many stories each property is tried on: few in `npm test`, a thousand in `npm run check`, and
 * `SLUICE_STORIES=20000 SLUICE_SEED=random npx vitest run test/properties` for a long night.
 */
export const runs = Number(process.env['SLUICE_STORIES'] ?? 150);

/** Tries a property on many random values; a failure prints its seed and the shortest story that shows it. */
export function property<T>(name: string, arbitrary: fc.Arbitrary<T>, check: (value: T) => void): void {
  const predicate = fc.property(arbitrary, (value) => check(value));
  test(name, { timeout: 60_000 + 50 * runs }, () => fc.assert(predicate, { numRuns: runs, ...seeded() }));
}

/** `SLUICE_SEED` and `SLUICE_PATH` tell a failing story again; without, everybody hears the same stories. */
function seeded(): { readonly seed?: number; readonly path?: string } {
  const { SLUICE_SEED: seed = '20261115', SLUICE_PATH: path } = process.env;
  return { ...(seed !== 'random' && { seed: Number(seed) }), ...(path && { path }) };
}
