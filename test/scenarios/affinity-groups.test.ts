import { describe, expect as check } from 'vitest';
import { clusterApi } from '../../src/api/index.ts';
import type { KubeObject, Placement } from '../../src/api/index.ts';
import { clusterRole, deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const role = clusterRole('reader');
const roles = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' }];
const paused = { burst: false } as const;
const everyScope = { namespace: nginx, cluster: role } as const;

const clusterOf = (name: string): KubeObject => ({ apiVersion: clusterApi, kind: 'Cluster', metadata: { name } });
const labelled =
  (labels: Readonly<Record<string, string>>) =>
  (live: KubeObject): KubeObject => ({ ...live, metadata: { ...live.metadata, labels } });

const byLabel: Placement = {
  clusterAffinities: [
    { affinityName: 'group1', labelSelector: { matchLabels: { group: 'first' } } },
    { affinityName: 'group2', labelSelector: { matchLabels: { group: 'second' } } },
  ],
};
const groupOf = (name: string, member: string): Placement => ({
  clusterAffinities: [{ affinityName: name, clusterNames: [member] }],
});

for (const [scope, template] of Object.entries(everyScope)) {
  const words = { ...paused, scopes: [scope as 'namespace' | 'cluster'] };
  const select = scope === 'cluster' ? { select: roles } : {};
  describe(`Affinity groups of a ${template.kind}`, () => {
    scenario(
      'a template goes to the next group when no cluster of the first fits, and back only by request',
      async ({ admin, user, policy, expect }) => {
        await admin.edits(clusterOf('member1'), labelled({ group: 'first' }));
        await admin.edits(clusterOf('member2'), labelled({ group: 'second' }));
        await admin.creates(policy('pp', { placement: byLabel, ...select }));
        await user.creates(template);
        await expect(template).runsOn('member1');

        await admin.edits(clusterOf('member1'), labelled({}));
        await expect(template).runsOn('member2');
        await expect(template).binding((binding) => {
          check(binding?.status?.schedulerObservingAffinityName).toBe('group2');
        });

        await admin.edits(clusterOf('member1'), labelled({ group: 'first' }));
        await expect(template).runsOn('member2');
        await admin.asksToReschedule(template);
        await expect(template).runsOn('member1');
        await expect(template).binding((binding) => {
          check(binding?.status?.schedulerObservingAffinityName).toBe('group1');
        });
      },
      words,
    );

    scenario(
      'a policy changes from one affinity to groups, and back',
      async ({ admin, user, policy, expect }) => {
        await admin.creates(policy('pp', { to: 'member1', ...select }));
        await user.creates(template);
        await expect(template).runsOn('member1');
        await admin.updates(policy('pp', { placement: groupOf('group1', 'member2'), ...select }));
        await expect(template).runsOn('member2');
        await admin.updates(policy('pp', { to: 'member3', ...select }));
        await expect(template).runsOn('member3');
        await expect(template).binding((binding) => {
          check(binding?.status).not.toHaveProperty('schedulerObservingAffinityName');
        });
      },
      words,
    );
  });
}

describe('Overflow groups', () => {
  const placement: Placement = {
    clusterAffinities: [
      {
        affinityName: 'primary',
        clusterNames: ['member1'],
        overflowAffinities: [{ affinityName: 'secondary', clusterNames: ['member2'] }],
      },
    ],
    replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
  };

  scenario(
    'replicas overflow when they are scaled up, and leave the overflow group first when they are scaled down',
    async ({ admin, user, policy, expect }) => {
      await admin.hasCapacity('member1', 2);
      await admin.hasCapacity('member2', 2);
      await admin.creates(policy('pp', { placement }));
      await user.creates(deployment('nginx', { replicas: 2 }));
      await expect(nginx).hasReplicas({ member1: 2 });

      await admin.hasCapacity('member1', 0);
      await user.updates(deployment('nginx', { replicas: 4 }));
      await expect(nginx).hasReplicas({ member1: 2, member2: 2 });

      await admin.hasCapacity('member2', 0);
      await user.updates(deployment('nginx', { replicas: 5 }));
      await expect(nginx).hasReplicas({ member1: 2, member2: 2 });
      await expect(nginx).binding((binding) => {
        const scheduled = binding?.status?.conditions?.find(({ type }) => type === 'Scheduled');
        check(scheduled).toMatchObject({ status: 'False', reason: 'Unschedulable' });
      });

      await user.updates(deployment('nginx', { replicas: 2 }));
      await expect(nginx).hasReplicas({ member1: 2 });
    },
    paused,
  );

  const limit = (member: string, pods: string): KubeObject =>
    ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: `limit-${member}`, namespace: 'default' },
      spec: { hard: { pods } },
    }) as KubeObject;

  scenario(
    'replicas overflow when a ResourceQuota of the primary group leaves nothing, with the gate ResourceQuotaEstimate',
    async ({ admin, user, policy, expect }) => {
      for (const member of ['member1', 'member2']) {
        const select = [{ apiVersion: 'v1', kind: 'ResourceQuota', name: `limit-${member}` }];
        await admin.hasCapacity(member, 100);
        await admin.creates(policy(`limit-${member}`, { to: member, select }), limit(member, '2'));
      }
      await admin.creates(policy('pp', { placement }));
      await user.creates(deployment('nginx', { replicas: 2 }));
      await expect(nginx).hasReplicas({ member1: 2 });
      await admin.updates(limit('member1', '0'));
      await user.updates(deployment('nginx', { replicas: 4 }));
      await expect(nginx).hasReplicas({ member1: 2, member2: 2 });
      await admin.updates(limit('member2', '0'));
      await user.updates(deployment('nginx', { replicas: 5 }));
      await expect(nginx).hasReplicas({ member1: 2, member2: 2 });
      await user.updates(deployment('nginx', { replicas: 2 }));
      await expect(nginx).hasReplicas({ member1: 2 });
    },
    { ...paused, gates: { ResourceQuotaEstimate: true } },
  );
});
