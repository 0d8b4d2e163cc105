import { defineConfig } from 'vitest/config';

/** The program itself, from outside: `npm run e2e`. One file at a time, since each starts whole servers. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    passWithNoTests: true,
    pool: 'forks',
    fileParallelism: false,
    // Cases that run side by side start programs of their own.
    maxConcurrency: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
