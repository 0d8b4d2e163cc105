/** While the ConfigMap of the restored hub suspends removals, nothing is deleted in a member, whatever wants it. */
import { describe, expect as check } from 'vitest';
import { removalsRef } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const paused = { burst: false } as const;
const both = ['member1', 'member2'];

const { namespace, name, ...kind } = removalsRef;
const suspension = {
  ...kind,
  metadata: { name, namespace },
  data: { since: '2026-11-18T10:00:00Z', reason: 'the hub was restored from a backup' },
} as KubeObject;

async function running({ admin, user, policy }: Cast): Promise<void> {
  await admin.creates(policy('pp', { to: both }));
  await user.creates(nginx);
  await admin.creates(suspension);
}

/** Checks that nginx stays in both members, and that its Work says why. */
async function staysSuspended(cast: Cast): Promise<void> {
  await cast.expect(nginx).runsOn(...both);
  await cast.expect(nginx).work('member1', (work) => {
    check(work?.metadata.deletionTimestamp).toBeDefined();
    check(work?.status?.conditions?.find(({ type }) => type === 'Dispatching')).toMatchObject({
      reason: 'RemovalsSuspended',
      message: check.stringContaining(
        'The object stays in member1: removals are suspended since 2026-11-18T10:00:00Z: the hub was restored from a backup',
      ),
    });
  });
}

describe('While removals are suspended', () => {
  scenario(
    'a template that is deleted stays in its members until removals are resumed',
    async (cast) => {
      await running(cast);
      await cast.unchanged(() => cast.user.deletes(nginx));
      await staysSuspended(cast);
      await cast.admin.deletes(suspension);
      await cast.expect(nginx).runsNowhere();
    },
    paused,
  );

  scenario(
    'a move creates the new copy and keeps the old one until removals are resumed',
    async (cast) => {
      const { admin, policy, expect } = cast;
      await running(cast);
      await admin.updates(policy('pp', { to: ['member2', 'member3'] }));
      await expect(nginx).runsOn('member1', 'member2', 'member3');
      await admin.deletes(suspension);
      await expect(nginx).runsOn('member2', 'member3');
    },
    paused,
  );

  scenario(
    'updates still reach members, and objects are still created',
    async (cast) => {
      const { user, expect } = cast;
      await running(cast);
      await user.updates(deployment('nginx', { image: 'nginx:1.26' }));
      await expect(nginx).runsImage({ member1: 'nginx:1.26', member2: 'nginx:1.26' });
    },
    paused,
  );
});
