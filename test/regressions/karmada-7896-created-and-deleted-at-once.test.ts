// https://github.com/karmada-io/karmada/issues/7896
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');

scenario(
  'A template that is deleted as soon as it is created leaves nothing anywhere',
  async ({ admin, policy, stage, expect }) => {
    await admin.creates(policy('pp', { to: 'member1' }));
    await stage.apply(nginx);
    await stage.delete({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' });
    await expect(nginx).isGone();
    await expect(nginx).runsNowhere();
  },
);

scenario(
  'A template that is deleted and made again at once runs as the new one says',
  async ({ admin, user, policy, stage, expect }) => {
    await admin.creates(policy('pp', { to: 'member1' }));
    await user.creates(nginx);
    for (const replicas of [3, 4, 5]) {
      await stage.delete({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' });
      await stage.apply(deployment('nginx', { replicas }));
    }
    await expect(nginx).hasReplicas({ member1: 5 });
  },
);
