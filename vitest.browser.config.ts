import { defineConfig } from 'vitest/config';

/** The dashboard in a real browser, against a live system: `npm run browser`. It fails where no Chromium is found, and says so. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
