import { defineConfig } from 'vitest/config';

/** Suites that take too long for `npm test`: `npm run check` runs them. One file at a time, each in its own process. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    passWithNoTests: true,
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
