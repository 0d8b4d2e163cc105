import { describe, expect as check } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { configMap, configMaps, deployment, deployments } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const web = deployment('web', { configMaps: ['settings'] });
const worker = deployment('worker', { configMaps: ['settings'] });
const settings = configMap('settings');
const changed = configMap('settings', { value: 'two' });
const only = (name: string): ReturnType<typeof deployments>[] => [deployments({ name })];
const paused = { burst: false } as const;
const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys', namespace: 'default' },
  type: 'Opaque',
  data: { key: 'djE=' },
} as KubeObject;

describe('Dependencies go where their workloads go', () => {
  scenario(
    'a ConfigMap follows, moves along, and its edits reach the members',
    async ({ admin, user, policy, expect }) => {
      await user.creates(settings);
      await admin.creates(policy('pp', { to: ['member1', 'member2'], propagateDeps: true }));
      await user.creates(web);
      await expect(settings).runsOn('member1', 'member2');
      await user.updates(changed);
      await expect(settings).says('data.value', { member1: 'two', member2: 'two' });
      await admin.updates(policy('pp', { to: 'member3', propagateDeps: true }));
      await expect(web).runsOn('member3');
      await expect(settings).runsOn('member3');
    },
  );

  scenario('one that comes later follows when it comes', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: 'member1', propagateDeps: true }));
    await user.creates(web);
    await expect(settings).runsNowhere();
    await user.creates(settings);
    await expect(settings).runsOn('member1');
  });

  scenario(
    'no longer referred to, it leaves the members and stays on the hub',
    async ({ admin, user, policy, stage, expect }) => {
      await user.creates(secret);
      await admin.creates(policy('pp', { to: 'member1', propagateDeps: true }));
      await user.creates(deployment('web', { secrets: ['keys'] }));
      await expect(secret).runsOn('member1');
      await user.updates(deployment('web'));
      await expect(secret).runsNowhere();
      check(await stage.get({ apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'keys' })).toBeDefined();
    },
    paused,
  );

  scenario('switched on and off by the policy', async ({ admin, user, policy, expect }) => {
    await user.creates(settings);
    await admin.creates(policy('pp', { to: 'member1' }));
    await user.creates(web);
    await expect(settings).runsNowhere();
    await admin.updates(policy('pp', { to: 'member1', propagateDeps: true }));
    await expect(settings).runsOn('member1');
    await admin.updates(policy('pp', { to: 'member1' }));
    await expect(settings).runsNowhere();
  });

  scenario(
    'a dependency of two referrers goes wherever one of them is, until the last has gone',
    async ({ admin, user, policy, expect }) => {
      await user.creates(settings);
      await admin.creates(policy('a', { to: 'member1', propagateDeps: true, select: only('web') }));
      await admin.creates(policy('b', { to: 'member2', propagateDeps: true, select: only('worker') }));
      await user.creates(web, worker);
      await expect(settings).runsOn('member1', 'member2');
      await expect(settings).binding((binding) => {
        check(binding?.spec.requiredBy?.map(({ name }) => name)).toEqual(['web-deployment', 'worker-deployment']);
        check(binding?.spec.placement).toBeUndefined();
      });
      await user.deletes(web);
      await expect(settings).runsOn('member2');
      await user.deletes(worker);
      await expect(settings).runsNowhere();
    },
  );

  scenario(
    'referrers that disagree: the stricter wins, and it follows those that are left',
    async ({ admin, user, policy, expect }) => {
      await user.creates(settings);
      await admin.creates(
        policy('a', {
          to: 'member1',
          propagateDeps: true,
          select: only('web'),
          conflictResolution: 'Overwrite',
          preserveResourcesOnDeletion: true,
        }),
      );
      await admin.creates(policy('b', { to: 'member1', propagateDeps: true, select: only('worker') }));
      await user.creates(web, worker);
      await expect(settings).binding((binding) => {
        check(binding?.spec.conflictResolution).toBe('Overwrite');
        check(binding?.spec.preserveResourcesOnDeletion).toBe(true);
      });
      await admin.updates(policy('a', { to: 'member1', propagateDeps: true, select: only('web') }));
      await expect(settings).binding((binding) => {
        check(binding?.spec.conflictResolution).toBe('Abort');
        check(binding?.spec.preserveResourcesOnDeletion ?? false).toBe(false);
      });
    },
  );

  scenario('one with a policy of its own is where both put it', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('own', { to: 'member3', select: [configMaps({ name: 'settings' })] }));
    await admin.creates(policy('pp', { to: 'member1', propagateDeps: true, select: only('web') }));
    await user.creates(settings, web);
    await expect(settings).isManagedBy('own');
    await expect(settings).runsOn('member1', 'member3');
    await user.deletes(web);
    await expect(settings).runsOn('member3');
  });

  scenario(
    'gets a policy of its own later, and loses it again',
    async ({ admin, user, policy, expect, unchanged }) => {
      await user.creates(settings);
      await admin.creates(policy('pp', { to: 'member1', propagateDeps: true, select: only('web') }));
      await user.creates(web);
      await admin.creates(policy('own', { to: 'member2', select: [configMaps({ name: 'settings' })] }));
      await expect(settings).runsOn('member1', 'member2');
      await unchanged(() => admin.deletes(policy('own')));
      await expect(settings).isUnclaimed();
    },
    paused,
  );

  scenario(
    'a dependency whose own policy has gone still goes where it is needed, and stays where that policy put it',
    async ({ admin, user, policy, expect }) => {
      await user.creates(settings);
      await admin.creates(policy('pp', { to: 'member1', propagateDeps: true, select: only('web') }));
      await user.creates(web);
      await admin.creates(policy('own', { to: 'member2', select: [configMaps({ name: 'settings' })] }));
      await admin.deletes(policy('own'));
      await user.updates(changed);
      await expect(settings).says('data.value', { member1: 'two', member2: 'one' });
      await admin.updates(policy('pp', { to: 'member3', propagateDeps: true, select: only('web') }));
      await expect(web).runsOn('member3');
      await expect(settings).runsOn('member2', 'member3');
      await expect(settings).says('data.value', { member2: 'one', member3: 'two' });
      await user.deletes(web);
      await expect(settings).runsOn('member2');
    },
    paused,
  );

  scenario(
    'the gate PropagateDeps off: nothing follows',
    async ({ admin, user, policy, expect }) => {
      await user.creates(settings);
      await admin.creates(policy('pp', { to: 'member1', propagateDeps: true }));
      await user.creates(web);
      await expect(web).runsOn('member1');
      await expect(settings).runsNowhere();
    },
    { gates: { PropagateDeps: false } },
  );
});
