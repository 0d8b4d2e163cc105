import { describe, expect as check } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const schedulePriority = { priorityClassSource: 'KubePriorityClass', priorityClassName: 'gold' } as const;
const gold = (value: number): KubeObject =>
  ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'gold' },
    value,
  }) as unknown as KubeObject;
const paused = { burst: false } as const;

describe('The priority of scheduling', () => {
  scenario('is that of the PriorityClass that the policy names', async ({ admin, user, policy, expect }) => {
    await admin.creates(gold(1000), policy('pp', { to: 'member1', schedulePriority }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
    await expect(nginx).binding((binding) => check(binding?.spec.schedulePriority).toEqual({ priority: 1000 }));
  });

  scenario(
    'no binding is made while the class does not exist, and one is made when it appears',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { to: 'member1', schedulePriority }));
      await user.creates(nginx);
      await expect(nginx).runsNowhere();
      await expect(nginx).binding((binding) => check(binding).toBeUndefined());
      await admin.creates(gold(7));
      await expect(nginx).runsOn('member1');
      await expect(nginx).binding((binding) => check(binding?.spec.schedulePriority).toEqual({ priority: 7 }));
    },
    paused,
  );

  scenario(
    'a class that is deleted moves nothing, and its priority stays',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(gold(7), policy('pp', { to: 'member1', schedulePriority }));
      await user.creates(nginx);
      await expect(nginx).runsOn('member1');
      await unchanged(() => admin.deletes(gold(7)));
      await expect(nginx).binding((binding) => check(binding?.spec.schedulePriority).toEqual({ priority: 7 }));
    },
    paused,
  );

  scenario(
    'a lazy policy gives its priority when the template changes',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(gold(7), policy('pp', { to: 'member1', lazy: true }));
      await user.creates(nginx);
      await admin.updates(policy('pp', { to: 'member1', lazy: true, schedulePriority }));
      await expect(nginx).binding((binding) => check(binding?.spec).not.toHaveProperty('schedulePriority'));
      await user.touches(nginx);
      await expect(nginx).binding((binding) => check(binding?.spec.schedulePriority).toEqual({ priority: 7 }));
    },
    paused,
  );

  scenario(
    'no binding has one while the gate is off',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { to: 'member1', schedulePriority }));
      await user.creates(nginx);
      await expect(nginx).runsOn('member1');
      await expect(nginx).binding((binding) => check(binding?.spec).not.toHaveProperty('schedulePriority'));
    },
    { gates: { PriorityBasedScheduling: false } },
  );
});
