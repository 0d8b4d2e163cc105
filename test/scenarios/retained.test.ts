import { describe, expect as check } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { withAt } from '../../src/base/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const paused = { burst: false } as const;

const restartedAt = ['spec', 'template', 'metadata', 'annotations'];
const restarted = { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' };

describe('A field that somebody sets in a member', () => {
  scenario(
    "survives the template's next change",
    async ({ admin, user, policy, expect }) => {
      const web = deployment('web', { replicas: 1 });
      await admin.creates(policy('pp', { to: ['member1', 'member2'] }));
      await user.creates(web);
      await user.tampers('member1', web, (live) =>
        withAt(withAt(live, restartedAt, restarted), ['spec', 'minReadySeconds'], 5),
      );
      await user.updates(deployment('web', { replicas: 3 }));
      await expect(web).says('spec.replicas', { member1: 3, member2: 3 });
      await expect(web).says('spec.template.metadata.annotations', { member1: restarted, member2: undefined });
      await expect(web).says('spec.minReadySeconds', { member1: 5, member2: undefined });
    },
    paused,
  );

  scenario('goes when the template had it and drops it', async ({ admin, user, policy, expect }) => {
    const ready = (seconds?: number): KubeObject => withAt(deployment('web'), ['spec', 'minReadySeconds'], seconds);
    await admin.creates(policy('pp', { to: ['member1'] }));
    await user.creates(ready(5));
    await user.updates(ready());
    await expect(deployment('web')).says('spec.minReadySeconds', { member1: undefined });
  });

  scenario(
    'in an object that Sluice took over goes when the template drops it',
    async ({ admin, user, stage, policy, expect }) => {
      const web = withAt(deployment('web'), ['spec', 'minReadySeconds'], 5);
      await stage.plant('member1', web);
      await admin.creates(policy('pp', { to: ['member1'], conflictResolution: 'Overwrite' }));
      await user.creates(web);
      await expect(web).says('spec.minReadySeconds', { member1: 5 });
      await user.updates(deployment('web'));
      await expect(web).says('spec.minReadySeconds', { member1: undefined });
      await expect(web).binding((binding) => {
        check(binding?.status?.aggregatedStatus).toMatchObject([{ clusterName: 'member1', applied: true }]);
      });
    },
  );
});
