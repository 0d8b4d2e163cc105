import { clusterRole, deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');

scenario(
  'A policy can go although another controller has claimed its template since',
  async ({ admin, user, policy, expect, unchanged }) => {
    await admin.creates(policy('pp', { to: 'member1' }));
    await user.creates(nginx);
    await user.edits(nginx, (live) => {
      const labels = { ...live.metadata.labels, 'resourcetemplate.karmada.io/claimed-by': 'MultiClusterService' };
      return { ...live, metadata: { ...live.metadata, labels } };
    });
    await unchanged(() => admin.deletes(policy('pp')));
    await expect(policy('pp')).isGone();
    await expect(nginx).isUnclaimed();
  },
  { burst: false },
);

scenario(
  'A policy can go although two of its templates would have a binding of the same name',
  async ({ admin, user, policy, expect }) => {
    const select = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }];
    await user.creates(clusterRole('team:reader'), clusterRole('team.reader'));
    await admin.creates(policy('roles', { to: 'member1', select }));
    await admin.deletes(policy('roles', { select }));
    await expect(policy('roles')).isGone();
  },
  { scopes: ['cluster'] },
);
