// https://github.com/karmada-io/karmada/issues/6379
import { expect as check } from 'vitest';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');

scenario(
  'A policy and its template change in one moment: the binding says the newest of both',
  async ({ user, admin, policy, expect, stage }) => {
    await admin.creates(policy('pp', { to: 'member1', conflictResolution: 'Abort' }));
    await user.creates(nginx);
    for (const replicas of [3, 4, 5]) {
      await stage.apply(policy('pp', { to: 'member1', conflictResolution: 'Abort', failover: {} }));
      await stage.apply(deployment('nginx', { replicas }));
      await stage.apply(policy('pp', { to: 'member2', conflictResolution: 'Overwrite' }));
    }
    await expect(nginx).binding((binding) => {
      check(binding?.spec.conflictResolution).toBe('Overwrite');
      check(binding?.spec.failover).toBeUndefined();
      check(binding?.spec.replicas).toBe(5);
    });
    await expect(nginx).hasReplicas({ member2: 5 });
  },
  { burst: false },
);
