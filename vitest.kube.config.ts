import { defineConfig } from 'vitest/config';

/**
 * A real kube-apiserver as the hub, and real members: `npm run test:kube`. The programs are built once, into a cache outside of
 * the tree; that needs Go. One file at a time, since each starts whole clusters.
 */
export default defineConfig({
  test: {
    include: ['test/kube/**/*.test.ts'],
    globalSetup: ['test/kit/kube/setup.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
