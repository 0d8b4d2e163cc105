import { defineConfig } from 'vitest/config';

/**
 * A real kube-apiserver as the hub: `npm run test:kube`. The programs are built once, into a cache outside of the tree; that needs
 * Go. `kube` starts clusters of its own in each file, one file at a time; `scenarios` plays scenarios on one hub.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'kube',
          include: ['test/kube/**/*.test.ts'],
          globalSetup: ['test/kit/kube/setup.ts'],
          pool: 'forks',
          maxWorkers: 1,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'scenarios',
          include: ['test/scenarios/policy-status.test.ts'],
          globalSetup: ['test/kit/kube/scenarios-setup.ts'],
          env: { SLUICE_STAGE: 'kube' },
          pool: 'threads',
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
