import { describe } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { Policy } from '../../src/api/index.ts';
import { deployment, deployments, rollout } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const redis = deployment('redis');
const all = { suspendDispatching: true };

/** The columns of `kubectl get propagationpolicies`, which answer without reading every template. */
describe('The status of a policy counts its templates', () => {
  scenario(
    'it counts the templates that it manages, and those that follow it',
    async ({ admin, user, policy, expect }) => {
      const pp = policy('pp', { to: 'member1' });
      await admin.creates(pp);
      await expect(pp).counts({ templates: 0, upToDate: 0, pending: 0, suspended: 0 });
      await user.creates(nginx, redis);
      await expect(pp).counts({ templates: 2, upToDate: 2, pending: 0, suspended: 0 });
      await user.deletes(redis);
      await expect(pp).counts({ templates: 1, upToDate: 1, pending: 0, suspended: 0 });
    },
  );

  scenario(
    'how many of them wait for their own next change',
    async ({ admin, user, policy, expect }) => {
      const pp = policy('pp', { to: 'member1', lazy: true });
      await admin.creates(pp);
      await user.creates(nginx, redis);
      await expect(pp).counts({ templates: 2, upToDate: 2, pending: 0, suspended: 0 });
      await admin.updates(policy('pp', { to: 'member2', lazy: true }));
      await expect(pp).counts({ templates: 2, upToDate: 0, pending: 2, suspended: 0 });
      await user.touches(nginx);
      await expect(pp).counts({ templates: 2, upToDate: 1, pending: 1, suspended: 0 });
      await expect(nginx).runsOn('member2');
      await expect(redis).runsOn('member1');
    },
    { burst: false },
  );

  scenario(
    'the same where policies are static',
    async ({ admin, user, policy, expect }) => {
      const pp = policy('pp', { to: 'member1' });
      await admin.creates(pp);
      await user.creates(nginx);
      await admin.updates(policy('pp', { to: 'member2' }));
      await expect(pp).counts({ templates: 1, upToDate: 0, pending: 1, suspended: 0 });
      await user.touches(nginx);
      await expect(pp).counts({ templates: 1, upToDate: 1, pending: 0, suspended: 0 });
    },
    { gates: { StaticPolicy: true } },
  );

  scenario(
    'it counts suspended templates, by its own suspension or by that of a single one',
    async ({ admin, user, policy, expect }) => {
      const pp = policy('pp', { to: ['member1', 'member2'] });
      await admin.creates(pp);
      await user.creates(nginx, redis);
      await admin.creates(rollout('careful', all));
      await expect(pp).counts({ templates: 2, upToDate: 1, pending: 0, suspended: 1 });
      await admin.updates(
        policy('pp', {
          to: ['member1', 'member2'],
          suspend: { suspendDispatchingOnClusters: { clusterNames: ['member2'] } },
        }),
      );
      await expect(pp).counts({ templates: 2, upToDate: 0, pending: 0, suspended: 2 });
      await admin.updates(policy('pp', { to: ['member1', 'member2'] }));
      await admin.deletes(rollout('careful', all));
      await expect(pp).counts({ templates: 2, upToDate: 2, pending: 0, suspended: 0 });
    },
  );

  scenario(
    'a removal that waits is suspended too',
    async ({ admin, user, policy, expect }) => {
      const suspend = { suspendDispatchingOnClusters: { clusterNames: ['member1'] } };
      const pp = policy('pp', { to: 'member1', suspend });
      await admin.creates(policy('pp', { to: 'member1' }));
      await user.creates(nginx);
      await admin.updates(pp);
      await admin.updates(policy('pp', { to: 'member2', suspend }));
      await expect(nginx).runsOn('member1', 'member2');
      await expect(pp).counts({ templates: 1, upToDate: 0, pending: 0, suspended: 1 });
      await admin.updates(policy('pp', { to: 'member2' }));
      await expect(nginx).runsOn('member2');
      await expect(pp).counts({ templates: 1, upToDate: 1, pending: 0, suspended: 0 });
    },
    { burst: false },
  );

  scenario('templates that another policy takes over are counted there', async ({ admin, user, policy, expect }) => {
    const weak = policy('weak', { to: 'member1' });
    const strong = policy('strong', {
      to: 'member2',
      priority: 5,
      preemption: 'Always',
      select: [deployments({ name: 'nginx', namespace: 'default' })],
    });
    await admin.creates(weak);
    await user.creates(nginx, redis);
    await admin.creates(strong);
    await expect(weak).counts({ templates: 1, upToDate: 1, pending: 0, suspended: 0 });
    await expect(strong).counts({ templates: 1, upToDate: 1, pending: 0, suspended: 0 });
    await admin.deletes(strong);
    await expect(weak).counts({ templates: 2, upToDate: 2, pending: 0, suspended: 0 });
  });

  scenario('a policy says that its clusters do not exist', async ({ admin, user, policy, expect }) => {
    const pp = policy('pp', { to: ['member9', 'member1', 'member8'] });
    await admin.creates(pp);
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
    await expect(pp).condition('ClustersExist', {
      status: 'False',
      reason: 'ClustersMissing',
      message: 'the placement names clusters that do not exist: member8, member9',
    });
    await admin.updates(policy('pp', { to: { labelSelector: { matchLabels: { region: 'nowhere' } } } }));
    await expect(pp).condition('ClustersExist', {
      status: 'False',
      reason: 'NoClusterFits',
      message: 'the placement selects none of the 4 clusters',
    });
    await expect(pp).counts({ templates: 1, upToDate: 0, pending: 0, suspended: 0 });
    await admin.updates(policy('pp', { to: 'member2' }));
    await expect(pp).condition('ClustersExist', { status: 'True', reason: 'ClustersFound' });
    await expect(pp).counts({ templates: 1, upToDate: 1, pending: 0, suspended: 0 });
  });

  scenario(
    'writing its status does not make a lazy policy look younger than its templates',
    async (cast) => {
      const { admin, user, policy, expect, stage } = cast;
      const pp = policy('pp', { to: 'member1', lazy: true });
      await admin.creates(policy('pp', { to: 'member2', lazy: true }));
      await admin.updates(pp);
      await user.creates(nginx);
      await stage.apply(redis);
      const told = (await stage.get(refOf(pp))) as Policy | undefined;
      await stage.writeStatus(refOf(pp), { ...told?.status, templates: 99 });
      await user.touches(nginx);
      await expect(redis).runsOn('member1');
      await expect(pp).counts({ templates: 2, upToDate: 2, pending: 0, suspended: 0 });
    },
    { burst: false },
  );
});
