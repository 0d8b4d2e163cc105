import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');

scenario(
  'With static policies a better lazy policy takes a template with its next change, and not one change later',
  async ({ user, admin, policy, expect }) => {
    await admin.creates(policy('first', { to: 'member1' }));
    await user.creates(nginx);
    await admin.creates(policy('second', { to: 'member2', lazy: true, priority: 2 }));
    await expect(nginx).isManagedBy('first');
    await expect(nginx).runsOn('member1');
    await user.touches(nginx);
    await expect(nginx).isManagedBy('second');
    await expect(nginx).runsOn('member2');
  },
  { gates: { StaticPolicy: true }, burst: false },
);
