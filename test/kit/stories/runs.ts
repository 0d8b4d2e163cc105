import * as fc from 'fast-check';
import { test } from 'vitest';

/** How many stories each property is tried on: `SLUICE_STORIES=20000 npx vitest run test/properties` for a long night. */
export const runs = Number(process.env['SLUICE_STORIES'] ?? 1_000);

/** Tries a property on many random values; a failure prints its seed and the shortest story that shows it. */
export function property<T>(name: string, arbitrary: fc.Arbitrary<T>, check: (value: T) => void): void {
  const predicate = fc.property(arbitrary, (value) => check(value));
  test(name, { timeout: 60_000 + 50 * runs }, () => fc.assert(predicate, { numRuns: runs, ...seeded() }));
}

/** `SLUICE_SEED` and `SLUICE_PATH` tell a failing story again. */
function seeded(): { readonly seed?: number; readonly path?: string } {
  const { SLUICE_SEED: seed, SLUICE_PATH: path } = process.env;
  return { ...(seed && { seed: Number(seed) }), ...(path && { path }) };
}
