import { defineConfig } from 'vitest/config';

/** The scenarios once more, unchanged, on a whole server: durable hub, live controllers, members over HTTPS. */
export default defineConfig({
  test: {
    include: ['test/scenarios/**/*.test.ts', 'test/regressions/**/*.test.ts'],
    env: { SLUICE_STAGE: 'server' },
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
