import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const needy = { to: 'member1', priority: 2, dependentOverrides: ['missing'] };

scenario(
  'A template that waited for the overrides of a policy is taken by the next one when that policy goes',
  async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('needy', needy), policy('plain', { to: 'member2' }));
    await user.creates(nginx);
    await expect(nginx).runsNowhere();
    await admin.deletes(policy('needy', needy));
    await expect(nginx).runsOn('member2');
  },
);

scenario(
  'A managing policy that begins to wait for overrides still suspends at once',
  async ({ admin, user, policy, expect, unchanged }) => {
    await admin.creates(policy('pp', { to: 'member1' }));
    await user.creates(nginx);
    await unchanged(() =>
      admin.updates(policy('pp', { to: 'member2', dependentOverrides: ['missing'], suspend: { dispatching: true } })),
    );
    await expect(nginx).isSuspendedOn('member1');
  },
  { burst: false },
);
