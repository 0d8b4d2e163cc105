import { describe, expect as check } from 'vitest';
import type { KubeObject, Placement } from '../../src/api/index.ts';
import { definitionOf, policy as policyOf } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

const gates = { MultiplePodTemplatesScheduling: true };
const words = { gates, burst: false, scopes: ['namespace'] } as const;
const definitions = [
  definitionOf({ apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job', plural: 'jobs' }),
  definitionOf({ apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkDeployment', plural: 'flinkdeployments' }),
];
const everywhere = policyOf('definitions', {
  scope: 'cluster',
  to: {},
  select: [{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }],
});
const onOneCluster: Placement = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
};

const task = (name: string, replicas: number, cpu: string): object => ({
  name,
  replicas,
  template: { spec: { containers: [{ name, image: 'nginx:1.25', resources: { requests: { cpu } } }] } },
});
const job = (workers: number): KubeObject =>
  ({
    apiVersion: 'batch.volcano.sh/v1alpha1',
    kind: 'Job',
    metadata: { name: 'training', namespace: 'default' },
    spec: { minAvailable: 1, tasks: [task('master', 1, '200m'), task('worker', workers, '100m')] },
  }) as KubeObject;
const flink = {
  apiVersion: 'flink.apache.org/v1beta1',
  kind: 'FlinkDeployment',
  metadata: { name: 'stream', namespace: 'default' },
  spec: {
    flinkConfiguration: { 'taskmanager.numberOfTaskSlots': '2' },
    job: { parallelism: 2 },
    jobManager: { replicas: 1, resource: { cpu: 0.05, memory: '100m' } },
    taskManager: { resource: { cpu: 0.1, memory: '100m' } },
  },
} as KubeObject;

describe('A template with several sorts of pods', () => {
  for (const [template, components] of [
    [
      job(3),
      [
        { name: 'master', replicas: 1 },
        { name: 'worker', replicas: 3 },
      ],
    ],
    [
      flink,
      [
        { name: 'jobmanager', replicas: 1 },
        { name: 'taskmanager', replicas: 1 },
      ],
    ],
  ] as const) {
    describe(template.kind, () =>
      scenario(
        'the whole workload goes to one cluster that has capacity for all of its pods',
        async ({ admin, user, policy, expect }) => {
          await admin.appliesTogether(...definitions, everywhere);
          for (const member of ['member1', 'member2', 'member4']) await admin.hasCapacity(member, 1);
          await admin.hasCapacity('member3', 8);
          const { apiVersion, kind } = template;
          await admin.creates(policy('pp', { select: [{ apiVersion, kind }], placement: onOneCluster }));
          await user.creates(template);
          await expect(template).runsOn('member3');
          await expect(template).binding((binding) => {
            check(binding?.spec.clusters).toEqual([{ name: 'member3', components }]);
            check(binding?.status?.conditions?.find(({ type }) => type === 'Scheduled')).toMatchObject({
              status: 'True',
            });
          });
        },
        words,
      ),
    );
  }

  scenario(
    'the workload stays unscheduled, and says why, while no cluster has capacity for all of its pods',
    async ({ admin, user, policy, expect }) => {
      await admin.appliesTogether(...definitions, everywhere);
      for (const member of ['member1', 'member2', 'member3', 'member4']) await admin.hasCapacity(member, 3);
      const { apiVersion, kind } = job(3);
      await admin.creates(policy('pp', { select: [{ apiVersion, kind }], placement: onOneCluster }));
      await user.creates(job(3));
      await expect(job(3)).runsNowhere();
      await expect(job(3)).binding((binding) => {
        const scheduled = binding?.status?.conditions?.find(({ type }) => type === 'Scheduled');
        check(scheduled).toMatchObject({ status: 'False', reason: 'Unschedulable' });
      });
      await user.updates(job(2));
      await expect(job(2)).runsOn('member1');
    },
    words,
  );
});
