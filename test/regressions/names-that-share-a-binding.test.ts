import { clusterRole } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const select = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }];

for (const [first, second] of [
  [clusterRole('team:reader'), clusterRole('team.reader')],
  [clusterRole('Reader'), clusterRole('reader')],
  [clusterRole('reader'), clusterRole('Reader')],
] as const) {
  scenario(
    `The bindings of ${first.metadata.name} and ${second.metadata.name} have one name: the second has its turn when the first has gone`,
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('roles', { to: 'member1', select }));
      await user.creates(first, second);
      await expect(first).runsOn('member1');
      await expect(second).runsNowhere();
      await user.deletes(first);
      await expect(first).runsNowhere();
      await expect(second).runsOn('member1');
    },
    { scopes: ['cluster'], burst: false },
  );
}
