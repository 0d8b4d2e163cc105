import { defineConfig } from 'vitest/config';

/** Suites that take minutes: `vitest run --config test/long/vitest.config.ts`. */
export default defineConfig({
  test: { include: ['test/long/**/*.test.ts'], testTimeout: 240_000, fileParallelism: false },
});
