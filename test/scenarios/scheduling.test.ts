import { describe, expect as check } from 'vitest';
import { clusterApi } from '../../src/api/index.ts';
import type { Cluster, ClusterSpec, KubeObject, Placement } from '../../src/api/index.ts';
import { clusterRole, definitionOf, deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const role = clusterRole('reader');
const paused = { burst: false } as const;
const members = ['member1', 'member2', 'member3', 'member4'] as const;

const clusterOf = (name: string): KubeObject => ({ apiVersion: clusterApi, kind: 'Cluster', metadata: { name } });
const labelled =
  (labels: Readonly<Record<string, string>>) =>
  (live: KubeObject): KubeObject => ({ ...live, metadata: { ...live.metadata, labels } });
const located =
  (place: Partial<ClusterSpec>) =>
  (live: KubeObject): KubeObject =>
    ({ ...live, spec: { ...(live as Cluster).spec, ...place } }) as KubeObject;

const inChina = { labelSelector: { matchLabels: { location: 'CHN' } } };
const clusters = (count: number): Placement => ({
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: count, maxGroups: count }],
});

const specOf = (object: KubeObject): object => (object as KubeObject & { readonly spec: object }).spec;
const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'import', namespace: 'default' },
  spec: {
    parallelism: 1,
    completions: 9,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'import', image: 'busybox:1.36' }] } },
  },
} as KubeObject;

describe('Clusters that a label selects, and a constraint on their number', () => {
  scenario(
    'a Deployment goes to exactly so many clusters, and its edits do',
    async ({ admin, user, policy, expect }) => {
      for (const name of ['member2', 'member3', 'member4'])
        await admin.edits(clusterOf(name), labelled({ location: 'CHN' }));
      await admin.creates(policy('pp', { to: inChina, placement: clusters(2) }));
      await user.creates(nginx);
      await expect(nginx).runsOn('member2', 'member3');
      await expect(nginx).binding((binding) => {
        check(binding?.status?.conditions?.find(({ type }) => type === 'Scheduled')).toMatchObject({ status: 'True' });
      });
      await user.updates(deployment('nginx', { replicas: 7 }));
      await expect(nginx).hasReplicas({ member2: 7, member3: 7 });
    },
    paused,
  );

  scenario(
    'a Job goes to exactly so many clusters, and its edits do',
    async ({ admin, user, policy, expect }) => {
      for (const name of ['member3', 'member4']) await admin.edits(clusterOf(name), labelled({ location: 'CHN' }));
      const select = [{ apiVersion: 'batch/v1', kind: 'Job' }];
      await admin.creates(policy('pp', { to: inChina, placement: clusters(1), select }));
      await user.creates(job);
      await expect(job).runsOn('member3');
      await user.edits(job, (live) => ({ ...live, spec: { ...specOf(live), parallelism: 2 } }) as KubeObject);
      await expect(job).says('spec.parallelism', { member3: 2 });
    },
    { ...paused, scopes: ['namespace'] },
  );

  scenario(
    'a CustomResourceDefinition goes to exactly so many clusters',
    async ({ admin, user, policy, expect }) => {
      for (const name of ['member1', 'member4']) await admin.edits(clusterOf(name), labelled({ location: 'CHN' }));
      const foo = definitionOf({ apiVersion: 'example.karmada.io/v1', kind: 'Foo', plural: 'foos' });
      const select = [{ apiVersion: foo.apiVersion, kind: foo.kind }];
      await admin.creates(policy('cpp', { to: inChina, placement: clusters(1), select }));
      await user.creates(foo);
      await expect(foo).runsOn('member1');
    },
    { ...paused, scopes: ['cluster'] },
  );
});

describe('The labels of clusters change', () => {
  for (const [scope, template, title] of [
    ['namespace', nginx, 'a Deployment follows the label'],
    ['cluster', role, 'a ClusterRole follows the label'],
  ] as const) {
    scenario(
      title,
      async ({ admin, user, policy, expect }) => {
        const select = [{ apiVersion: template.apiVersion, kind: template.kind }];
        for (const name of ['member1', 'member2']) await admin.edits(clusterOf(name), labelled({ location: 'CHN' }));
        await admin.creates(policy('pp', { to: inChina, select }));
        await user.creates(template);
        await expect(template).runsOn('member1', 'member2');
        await admin.edits(clusterOf('member1'), labelled({ location: 'elsewhere' }));
        await expect(template).runsOn('member2');
        await admin.edits(clusterOf('member3'), labelled({ location: 'CHN' }));
        await expect(template).runsOn('member2', 'member3');
      },
      { ...paused, scopes: [scope] },
    );
  }
});

describe('Replicas without weights', () => {
  scenario('are divided equally, and stay so when they are scaled', async ({ admin, user, policy, expect }) => {
    const replicaScheduling = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' } as const;
    await admin.creates(policy('pp', { to: [...members], placement: { replicaScheduling } }));
    await user.creates(deployment('nginx', { replicas: 4 }));
    await expect(nginx).hasReplicas({ member1: 1, member2: 1, member3: 1, member4: 1 });
    await user.updates(deployment('nginx', { replicas: 8 }));
    await expect(nginx).hasReplicas({ member1: 2, member2: 2, member3: 2, member4: 2 });
  });
});

describe('The place of clusters', () => {
  scenario(
    'fields select clusters by provider and region',
    async ({ admin, user, policy, expect }) => {
      const places = [
        ['huaweicloud', 'cn-south-1'],
        ['huaweicloud', 'cn-north-1'],
        ['kind', 'cn-east-1'],
      ] as const;
      for (const [i, [provider, region]] of places.entries()) {
        await admin.edits(clusterOf(`member${i + 1}`), located({ provider, region }));
      }
      const matchExpressions = [
        { key: 'provider', operator: 'In', values: ['huaweicloud'] },
        { key: 'region', operator: 'NotIn', values: ['cn-north-1'] },
      ] as const;
      await admin.creates(policy('pp', { to: { clusterNames: [...members], fieldSelector: { matchExpressions } } }));
      await user.creates(nginx);
      await expect(nginx).runsOn('member1');
      await admin.edits(clusterOf('member2'), located({ region: 'cn-south-1' }));
      await expect(nginx).runsOn('member1', 'member2');
    },
    paused,
  );

  scenario(
    'a workload goes to so many regions, and to fewer when its policy says so',
    async ({ admin, user, policy, expect }) => {
      await admin.edits(clusterOf('member1'), located({ region: '2' }));
      await admin.edits(clusterOf('member2'), located({ region: '1' }));
      const byRegion = (count: number): Placement => ({
        replicaScheduling: { replicaSchedulingType: 'Duplicated' },
        spreadConstraints: [
          { spreadByField: 'cluster', minGroups: 1, maxGroups: 1 },
          { spreadByField: 'region', minGroups: count, maxGroups: count },
        ],
      });
      await admin.creates(policy('pp', { placement: byRegion(2) }));
      await user.creates(nginx);
      await expect(nginx).runsOn('member1', 'member2');
      await admin.updates(policy('pp', { placement: byRegion(1) }));
      await expect(nginx).runsOn('member2');
    },
    paused,
  );
});
