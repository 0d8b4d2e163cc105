import { describe, expect as check } from 'vitest';
import type { Placement } from '../../src/api/index.ts';
import { deployment, deployments } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const gates = { WorkloadAffinity: true };
const paused = { burst: false, gates } as const;
const one = [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }] as const;
const workload = (name: string, labels: Readonly<Record<string, string>>, namespace = 'default') =>
  deployment(name, { labels, namespace });
const byGroup = [deployments({ labelSelector: { matchExpressions: [{ key: 'group', operator: 'Exists' }] } })];
const apart: Placement = { workloadAffinity: { antiAffinity: { groupByLabelKey: 'group' } } };
const together: Placement = { workloadAffinity: { affinity: { groupByLabelKey: 'group' } } };

describe('Workloads of one group', () => {
  const [first, second] = [workload('first', { group: 'ha' }), workload('second', { group: 'ha' })];

  scenario(
    'are placed on different clusters by an anti-affinity',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { select: byGroup, placement: { ...apart, spreadConstraints: one } }));
      await user.creates(first, second);
      await expect(first).runsOn('member1');
      await expect(second).runsOn('member2');
      await expect(second).binding((binding) => {
        check(binding?.spec.workloadAffinityGroups).toEqual({ antiAffinityGroup: 'group=ha' });
      });
      await user.deletes(first);
      await expect(second).runsOn('member2');
    },
    paused,
  );

  scenario(
    'are placed on the same clusters by an affinity',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(
        policy('a', { to: 'member3', select: [deployments({ name: 'first' })], placement: together }),
      );
      await admin.creates(
        policy('b', { select: [deployments({ name: 'second' })], placement: { ...together, spreadConstraints: one } }),
      );
      await user.creates(first, second);
      await expect(first).runsOn('member3');
      await expect(second).runsOn('member3');
    },
    { gates },
  );

  scenario(
    'workloads with another label are placed without regard to them',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { select: byGroup, placement: { ...apart, spreadConstraints: one } }));
      const other = workload('other', { group: 'batch' });
      await user.creates(first, other);
      await expect(first).runsOn('member1');
      await expect(other).runsOn('member1');
    },
    { gates },
  );

  scenario(
    'in different namespaces share a cluster despite an anti-affinity',
    async ({ admin, user, policy, expect }) => {
      const elsewhere = workload('second', { group: 'ha' }, 'ns1');
      await admin.creates(policy('pp', { to: 'member1', select: byGroup, placement: apart }));
      await admin.creates(policy('pp2', { namespace: 'ns1', to: 'member1', select: byGroup, placement: apart }));
      await user.creates(first, elsewhere);
      await expect(first).runsOn('member1');
      await expect(elsewhere).runsOn('member1');
    },
    { gates, scopes: ['namespace'] },
  );

  scenario(
    'wait while no cluster satisfies affinity and anti-affinity, and come when one does',
    async ({ admin, user, policy, expect }) => {
      const near = workload('near', { near: 'x' });
      const far = workload('far', { far: 'x' });
      const torn = workload('torn', { near: 'x', far: 'x' });
      const nearby = { affinity: { groupByLabelKey: 'near' } };
      const faraway = { antiAffinity: { groupByLabelKey: 'far' } };
      const select = (name: string) => [deployments({ name })];
      await admin.creates(
        policy('a', { to: 'member1', select: select('near'), placement: { workloadAffinity: nearby } }),
        policy('b', { to: 'member1', select: select('far'), placement: { workloadAffinity: faraway } }),
        policy('c', { select: select('torn'), placement: { workloadAffinity: { ...nearby, ...faraway } } }),
      );
      await user.creates(near, far, torn);
      await expect(near).runsOn('member1');
      await expect(far).runsOn('member1');
      await expect(torn).runsNowhere();
      await expect(torn).binding((binding) => {
        const scheduled = binding?.status?.conditions?.find(({ type }) => type === 'Scheduled');
        check(scheduled).toMatchObject({ status: 'False', reason: 'NoClusterFit' });
        check(scheduled?.message).toBe('0/4 clusters are available: 1 WorkloadsApart, 3 WorkloadsTogether');
      });
      await user.deletes(far);
      await expect(torn).runsOn('member1');
    },
    paused,
  );

  scenario('have no groups while the gate is off', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { select: byGroup, placement: { ...apart, spreadConstraints: one } }));
    await user.creates(first, second);
    await expect(second).runsOn('member1');
    await expect(second).binding((binding) => check(binding?.spec).not.toHaveProperty('workloadAffinityGroups'));
  });
});
