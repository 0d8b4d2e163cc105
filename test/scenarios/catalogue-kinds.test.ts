import { describe, expect as check } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { clusterRole, deployment, deployments } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const paused = { burst: false } as const;
const clusterOnly = { scopes: ['cluster'] } as const;

const pod = (image: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'lone', namespace: 'default' },
    spec: { containers: [{ name: 'lone', image }] },
  }) as KubeObject;

const job = (labels: Readonly<Record<string, string>> = {}): KubeObject =>
  ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'once', namespace: 'default', labels },
    spec: {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'once', image: 'busybox:1' }] } },
    },
  }) as KubeObject;

const divided = {
  replicaSchedulingType: 'Divided',
  replicaDivisionPreference: 'Weighted',
  weightPreference: {
    staticWeightList: [
      { targetCluster: { clusterNames: ['member1'] }, weight: 1 },
      { targetCluster: { clusterNames: ['member2'] }, weight: 2 },
    ],
  },
} as const;

const batch = (completions?: number): KubeObject => {
  const { spec, ...rest } = job() as KubeObject & { readonly spec: object };
  return { ...rest, spec: { ...spec, parallelism: 3, ...(completions && { completions }) } } as KubeObject;
};

const role: KubeObject = {
  apiVersion: rbac,
  kind: 'Role',
  metadata: { name: 'team:reader', namespace: 'default' },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
} as KubeObject;

const bound = (kind: 'RoleBinding' | 'ClusterRoleBinding', to: string): KubeObject =>
  ({
    apiVersion: rbac,
    kind,
    metadata: { name: 'team:readers', ...(kind === 'RoleBinding' && { namespace: 'default' }) },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: kind.replace('Binding', ''), name: to },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
  }) as KubeObject;

const select = (kind: string, apiVersion = 'v1'): { apiVersion: string; kind: string }[] => [{ apiVersion, kind }];

/** The kinds of the catalogue, each on its way to the members and through a change. */
describe('Kinds', () => {
  scenario('a Pod, and its image', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: ['member1', 'member2'], select: select('Pod') }));
    await user.creates(pod('nginx:1'));
    await expect(pod('')).runsOn('member1', 'member2');
    await user.edits(pod(''), (live) => {
      const { spec } = live as KubeObject & { readonly spec: { readonly containers: readonly object[] } };
      const containers = spec.containers.map((container) => ({ ...container, image: 'nginx:2' }));
      return { ...live, spec: { ...spec, containers } } as KubeObject;
    });
    await expect(pod('')).work('member1', (work) => {
      check(work?.spec.workload.manifests[0]).toHaveProperty('spec.containers.0.image', 'nginx:2');
    });
  });

  scenario('a Job, and its labels', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: 'member1', select: select('Job', 'batch/v1') }));
    await user.creates(job());
    await expect(job()).runsOn('member1');
    await user.edits(job(), (live) => ({
      ...live,
      metadata: { ...live.metadata, labels: { ...live.metadata.labels, team: 'a' } },
    }));
    await expect(job()).says('metadata.labels.team', { member1: 'a' });
  });

  scenario('a divided Job does its work once, not in every member', async ({ admin, user, policy, expect }) => {
    const to = ['member1', 'member2'];
    await admin.creates(
      policy('pp', { to, select: select('Job', 'batch/v1'), placement: { replicaScheduling: divided } }),
    );
    await user.creates(batch(12));
    await expect(job()).says('spec.parallelism', { member1: 1, member2: 2 });
    await expect(job()).says('spec.completions', { member1: 4, member2: 8 });
  });

  scenario('a Job that every member gets does all its work in each', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: ['member1', 'member2'], select: select('Job', 'batch/v1') }));
    await user.creates(batch(12));
    await expect(job()).says('spec.completions', { member1: 12, member2: 12 });
  });

  scenario('a divided Job without completions gets none', async ({ admin, user, policy, expect }) => {
    const to = ['member1', 'member2'];
    await admin.creates(
      policy('pp', { to, select: select('Job', 'batch/v1'), placement: { replicaScheduling: divided } }),
    );
    await user.creates(batch());
    await expect(job()).says('spec.parallelism', { member1: 1, member2: 2 });
    await expect(job()).work('member2', (work) => {
      check(work?.spec.workload.manifests[0]).not.toHaveProperty('spec.completions');
    });
  });

  scenario('a Role and a RoleBinding whose names contain a colon', async ({ admin, user, policy, expect }) => {
    const both = [...select('Role', rbac), ...select('RoleBinding', rbac)];
    await admin.creates(policy('pp', { to: ['member1', 'member2'], select: both }));
    await user.creates(role, bound('RoleBinding', 'team:reader'));
    await expect(role).runsOn('member1', 'member2');
    await expect(bound('RoleBinding', 'team:reader')).runsOn('member1', 'member2');
  });

  scenario(
    'a ClusterRole and a ClusterRoleBinding whose names contain a colon',
    async ({ admin, user, policy, expect }) => {
      const both = [...select('ClusterRole', rbac), ...select('ClusterRoleBinding', rbac)].map((one) => ({
        ...one,
        name: one.kind === 'ClusterRole' ? 'team:reader' : 'team:readers',
      }));
      await admin.creates(policy('cpp', { to: ['member1', 'member2'], select: both }));
      await user.creates(clusterRole('team:reader'), bound('ClusterRoleBinding', 'team:reader'));
      await expect(clusterRole('team:reader')).runsOn('member1', 'member2');
      await expect(bound('ClusterRoleBinding', 'team:reader')).runsOn('member1', 'member2');
    },
    clusterOnly,
  );
});

describe('Templates without a namespace', () => {
  const [one, two] = [clusterRole('one'), clusterRole('two')];
  const named = (...names: readonly string[]): { apiVersion: string; kind: string; name: string }[] =>
    names.map((name) => ({ apiVersion: rbac, kind: 'ClusterRole', name }));

  scenario(
    'a selector that is added takes up, one that is replaced lets go',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('cpp', { to: 'member1', select: named('one') }));
      await user.creates(one, two);
      await expect(two).runsNowhere();
      await admin.updates(policy('cpp', { to: 'member1', select: named('one', 'two') }));
      await expect(two).runsOn('member1');
      await admin.updates(policy('cpp', { to: 'member1', select: named('two') }));
      await expect(one).isUnclaimed();
      await expect(one).runsOn('member1');
    },
    { ...clusterOnly, ...paused },
  );

  scenario(
    'a deleted policy leaves everything, and its claim is gone; the next one takes over',
    async ({ admin, user, policy, expect, unchanged }) => {
      await admin.creates(policy('first', { to: 'member1', select: named('one') }));
      await user.creates(one);
      await unchanged(() => admin.deletes(policy('first')));
      await expect(one).isUnclaimed();
      await expect(one).binding((binding) => {
        check(binding).toBeDefined();
        check(binding?.metadata.labels).not.toHaveProperty(['clusterpropagationpolicy.karmada.io/permanent-id']);
      });
      await admin.creates(policy('second', { to: 'member2', select: named('one') }));
      await expect(one).runsOn('member2');
    },
    { ...clusterOnly, ...paused },
  );

  scenario(
    'a preserved one stays in the member without a trace of us',
    async ({ admin, user, policy, stage, expect }) => {
      await stage.plant('member1', one);
      await admin.creates(
        policy('cpp', {
          to: 'member1',
          select: named('one'),
          conflictResolution: 'Overwrite',
          preserveResourcesOnDeletion: true,
        }),
      );
      await user.creates(one);
      await expect(one).says('metadata.labels', {
        member1: check.objectContaining({ 'karmada.io/managed': 'true' }) as unknown,
      });
      await user.deletes(one);
      await expect(one).runsOn('member1');
      await expect(one).says('metadata.labels', { member1: undefined });
    },
    { ...clusterOnly, ...paused },
  );
});

describe('The content of the binding', () => {
  const nginx = deployment('nginx');

  scenario('propagateDeps follows the policy', async ({ admin, user, policy, expect }) => {
    await admin.creates(policy('pp', { to: 'member1' }));
    await user.creates(nginx);
    await expect(nginx).binding((binding) => check(binding?.spec.propagateDeps ?? false).toBe(false));
    await admin.updates(policy('pp', { to: 'member1', propagateDeps: true }));
    await expect(nginx).binding((binding) => check(binding?.spec.propagateDeps).toBe(true));
  });

  scenario(
    'a template that its policy no longer selects goes to the next one that does',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('first', { to: 'member1', select: [deployments({ name: 'nginx' })] }));
      await user.creates(nginx);
      await admin.updates(policy('first', { to: 'member1', select: [deployments({ name: 'other' })] }));
      await expect(nginx).isUnclaimed();
      await admin.creates(policy('second', { to: 'member2', select: [deployments({ name: 'nginx' })] }));
      await expect(nginx).runsOn('member2');
    },
    paused,
  );
});
