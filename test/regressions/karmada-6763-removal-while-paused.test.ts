// https://github.com/karmada-io/karmada/issues/6763
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const suspend = { suspendDispatching: true };

scenario(
  'A move while paused neither removes nor creates; both happen on resume',
  async ({ user, admin, policy, expect, unchanged }) => {
    await admin.creates(policy('pp', { to: ['member1', 'member2'] }));
    await user.creates(nginx);
    await admin.updates(policy('pp', { to: ['member1', 'member2'], suspend }));
    await unchanged(() => admin.updates(policy('pp', { to: ['member2', 'member3'], suspend })));
    await expect(nginx).runsOn('member1', 'member2');
    await admin.updates(policy('pp', { to: ['member2', 'member3'] }));
    await expect(nginx).runsOn('member2', 'member3');
  },
  { burst: false },
);

scenario(
  'A template deleted while paused is deleted everywhere',
  async ({ user, admin, policy, expect }) => {
    await admin.creates(policy('pp', { to: ['member1', 'member2'], suspend }));
    await user.creates(nginx);
    await admin.updates(policy('pp', { to: ['member1', 'member2'] }));
    await admin.updates(policy('pp', { to: ['member1', 'member2'], suspend }));
    await user.deletes(nginx);
    await expect(nginx).isGone();
    await expect(nginx).runsNowhere();
  },
  { burst: false },
);
