import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Actor } from '../kit/actor.ts';

const nginx = deployment('nginx');

async function asks(user: Actor, token: string): Promise<void> {
  await user.edits(nginx, (live) => ({
    ...live,
    metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, 'sluice.dev/reconcile': token } },
  }));
}

scenario('A request that is older than a lazy policy does not let it in', async ({ user, admin, policy, expect }) => {
  await user.creates(nginx);
  await asks(user, 'one');
  await admin.creates(policy('later', { to: 'member1', lazy: true }));
  await expect(nginx).isManagedBy('later');
  await expect(nginx).runsNowhere();

  await asks(user, 'two');
  await expect(nginx).runsOn('member1');
});

scenario(
  'A request under one lazy policy is honoured by it, not by the one that preempts at the same time',
  async ({ user, admin, policy, expect, stage }) => {
    await admin.creates(policy('first', { to: 'member1', lazy: true }));
    await user.creates(nginx);
    await admin.updates(policy('first', { to: 'member2', lazy: true }));
    await stage.edit({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' }, (live) => ({
      ...live,
      metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, 'sluice.dev/reconcile': 'now' } },
    }));
    const select = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx' }];
    await admin.creates(policy('second', { to: 'member3', lazy: true, priority: 2, preemption: 'Always', select }));
    await expect(nginx).isManagedBy('second');
    await expect(nginx).runsOn('member2');
  },
  { burst: false },
);
