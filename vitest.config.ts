import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/long/**'],
    pool: 'threads',
    isolate: false,
    testTimeout: 60_000,
  },
});
