// https://github.com/karmada-io/karmada/issues/5996
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');

scenario(
  'A pause and a change that were both made while nobody watched: the pause counts first',
  async ({ user, admin, policy, expect, restart, stage }) => {
    await admin.creates(policy('pp', { to: 'member1' }));
    await user.creates(nginx);
    await expect(nginx).runsImage({ member1: 'nginx:1.25' });
    // Nobody has looked between these: the controllers see both at once, after their start.
    await stage.apply(policy('pp', { to: 'member1', suspend: { suspendDispatching: true } }));
    await stage.apply(deployment('nginx', { image: 'nginx:1.26' }));
    await restart();
    await expect(nginx).isSuspendedOn('member1');
    await expect(nginx).runsImage({ member1: 'nginx:1.25' });
    await admin.updates(policy('pp', { to: 'member1' }));
    await expect(nginx).runsImage({ member1: 'nginx:1.26' });
  },
  { burst: false },
);
