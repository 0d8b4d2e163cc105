// https://github.com/karmada-io/karmada/issues/5348
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');

scenario(
  'A template that waited under a lazy policy is free when that policy goes',
  async ({ user, admin, policy, expect }) => {
    await user.creates(nginx);
    await admin.creates(policy('lazy', { to: 'member1', lazy: true }));
    await expect(nginx).isManagedBy('lazy');
    await admin.deletes(policy('lazy'));
    await expect(policy('lazy')).isGone();
    await expect(nginx).isUnclaimed();
    await admin.creates(policy('next', { to: 'member2' }));
    await expect(nginx).isManagedBy('next');
    await expect(nginx).runsOn('member2');
  },
);

scenario(
  'A template that waited under a lazy policy is free when that policy does not match it any more',
  async ({ user, admin, policy, expect }) => {
    const others = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'other' }];
    await user.creates(nginx);
    await admin.creates(policy('lazy', { to: 'member1', lazy: true }));
    await admin.updates(policy('lazy', { to: 'member1', lazy: true, select: others }));
    await expect(nginx).isUnclaimed();
    await admin.creates(policy('next', { to: 'member2' }));
    await expect(nginx).runsOn('member2');
  },
);
