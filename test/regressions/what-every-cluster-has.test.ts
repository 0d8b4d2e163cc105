import type { KubeObject } from '../../src/api/index.ts';
import { scenario } from '../kit/scenario.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const select = [
  { apiVersion: rbac, kind: 'ClusterRole' },
  { apiVersion: 'v1', kind: 'Namespace' },
];
const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
const made = (metadata: KubeObject['metadata']): KubeObject =>
  ({ apiVersion: rbac, kind: 'ClusterRole', metadata, rules }) as KubeObject;
const reader = made({ name: 'reader' });
const root = made({ name: 'system:test-admin', labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } });

scenario(
  'Objects of every cluster are neither taken over nor removed by a policy that selects everything',
  async ({ admin, user, policy, stage, expect }) => {
    await stage.plant('member1', root);
    await user.creates(root, reader);
    await admin.creates(policy('everything', { to: 'member1', select, conflictResolution: 'Overwrite' }));
    await expect(reader).runsOn('member1');
    await expect(root).says('metadata.labels', { member1: root.metadata.labels });
    await admin.updates(policy('everything', { to: 'member2', select, conflictResolution: 'Overwrite' }));
    await expect(reader).runsOn('member2');
    await expect(root).runsOn('member1');
    await user.tampers('member1', root, () => undefined);
  },
  { scopes: ['cluster'], burst: false },
);
