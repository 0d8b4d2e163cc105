import { defineConfig } from 'vitest/config';

/** The program itself, from outside: `npm run e2e`. One file at a time, since each starts whole servers. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    passWithNoTests: true,
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
