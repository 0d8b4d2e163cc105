import { defineConfig } from 'vitest/config';

/**
 * Suites that take too long for `npm test`, among them all that start a whole system: `npm run check` runs them. Two files
 * at a time, each in its own process.
 */
export default defineConfig({
  test: {
    include: ['test/{long,app,cli,hostile,members}/**/*.test.ts'],
    passWithNoTests: true,
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
