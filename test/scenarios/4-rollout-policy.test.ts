import { describe, expect as check } from 'vitest';
import { deployment, rollout } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import { all, fresh, newer, nginx, old, on, paused, running, three } from '../kit/suspension.ts';

describe('RolloutPolicy: the alternative, for single resources', () => {
  const apache = deployment('apache');

  scenario(
    'holds one resource and leaves the others of the policy alone',
    async (cast) => {
      await running(cast);
      const { admin, user, expect } = cast;
      await user.creates(apache);
      await admin.creates(rollout('nginx-deploy-rollout-policy', all));
      await user.updates(newer, deployment('apache', { image: 'apache:2' }));
      await expect(nginx).runsImage({ member1: old, member2: old, member3: old });
      await expect(nginx).isSuspendedOn(...three);
      await expect(apache).runsImage({ member1: 'apache:2', member2: 'apache:2', member3: 'apache:2' });
    },
    paused,
  );

  scenario(
    'deleting its suspension resumes, and so does deleting it',
    async (cast) => {
      await running(cast);
      const { admin, user, expect } = cast;
      await admin.creates(rollout('hold', all));
      await user.updates(newer);
      await admin.updates(rollout('hold', undefined));
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
      await admin.updates(rollout('hold', all));
      await user.updates(nginx);
      await expect(nginx).isSuspendedOn(...three);
      await admin.deletes(rollout('hold', all));
      await expect(nginx).runsImage({ member1: old, member2: old, member3: old });
    },
    paused,
  );

  scenario(
    'the canary walk of the alternative',
    async (cast) => {
      await running(cast);
      const { admin, user, expect } = cast;
      await admin.creates(rollout('nginx-deploy-synchronization', on('member2', 'member3')));
      await user.updates(newer);
      await expect(nginx).runsImage({ member1: fresh, member2: old, member3: old });
      await admin.updates(rollout('nginx-deploy-synchronization', on('member3')));
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: old });
    },
    paused,
  );

  scenario(
    'the stricter of policy and RolloutPolicy wins',
    async (cast) => {
      await running(cast);
      const { admin, user, policy, expect } = cast;
      await admin.updates(policy('pp', { to: three, suspend: on('member1') }));
      await admin.creates(rollout('hold', on('member2')));
      await user.updates(newer);
      await expect(nginx).runsImage({ member1: old, member2: old, member3: fresh });
      await admin.updates(policy('pp', { to: three }));
      await expect(nginx).isSuspendedOn('member2');
      await admin.deletes(rollout('hold', undefined));
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
    },
    paused,
  );

  scenario(
    'it holds under a lazy policy as well',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('pp', { to: three, lazy: true }));
      await user.creates(nginx);
      await admin.creates(rollout('hold', all));
      await unchanged(() => user.updates(newer));
      await admin.deletes(rollout('hold', all));
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
    },
    paused,
  );

  scenario(
    'a hold with an end resumes by itself',
    async (cast) => {
      await running(cast);
      const { admin, user, expect, unchanged } = cast;
      await admin.creates(rollout('hold', all, { until: '2026-01-01T01:00:00Z', reason: 'freeze', owner: 'ops' }));
      await unchanged(() => user.updates(newer));
      await unchanged(() => admin.waits(1800));
      await admin.waits(1800);
      await expect(nginx).runsImage({ member1: fresh, member2: fresh, member3: fresh });
    },
    paused,
  );

  scenario('both spellings at once are refused there too', async ({ admin }) => {
    check(await admin.failsToCreate(rollout('bad', { ...all, ...on('member1') }))).toContainEqual(
      check.stringContaining('spec.suspension'),
    );
  });
});
