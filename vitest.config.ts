import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts'],
    exclude: [
      'test/e2e/**',
      'test/browser/**',
      'test/long/**',
      'test/app/**',
      'test/cli/**',
      'test/hostile/**',
      'test/members/**',
      'test/kube/**',
    ],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    setupFiles: ['test/kit/seeds.ts'],
    testTimeout: 60_000,
  },
});
