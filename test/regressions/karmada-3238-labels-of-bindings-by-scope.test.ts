// https://github.com/karmada-io/karmada/issues/3238
import { expect as check } from 'vitest';
import { bindingRefOf } from '../../src/engine/index.ts';
import { clusterRole, deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const role = clusterRole('reader');
const select = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }];

scenario(
  'A label that somebody put on a binding stays, whichever scope its policy has',
  async ({ admin, user, policy, stage, expect }) => {
    await admin.creates(policy('pp', { to: 'member1' }));
    await user.creates(nginx);
    await stage.settle();
    await stage.edit(bindingRefOf(nginx), (live) => ({
      ...live,
      metadata: { ...live.metadata, labels: { ...live.metadata.labels, team: 'shop' } },
    }));
    await user.updates(deployment('nginx', { replicas: 3 }));
    await admin.updates(policy('pp', { to: 'member2' }));
    await expect(nginx).binding((binding) => {
      check(binding?.metadata.labels).toMatchObject({ team: 'shop' });
      check(binding?.spec.replicas).toBe(3);
    });
  },
  { burst: false },
);

scenario(
  'So it does on the binding of a template without a namespace',
  async ({ admin, user, policy, stage, expect }) => {
    await admin.creates(policy('cpp', { to: 'member1', select }));
    await user.creates(role);
    await stage.settle();
    await stage.edit(bindingRefOf(role), (live) => ({
      ...live,
      metadata: { ...live.metadata, labels: { ...live.metadata.labels, team: 'shop' } },
    }));
    await admin.updates(policy('cpp', { to: 'member2', select }));
    await expect(role).binding((binding) => check(binding?.metadata.labels).toMatchObject({ team: 'shop' }));
    await expect(role).runsOn('member2');
  },
  { burst: false, scopes: ['cluster'] },
);
