import { describe, expect as check } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { Binding, Cluster, KubeObject, Placement, WorkloadRebalancer } from '../../src/api/index.ts';
import { clusterRole, deployment, memberCluster } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';
import { taint } from '../kit/taint.ts';

const gates = { Failover: true } as const;
const stepwise = { gates, burst: false, scopes: ['cluster'] } as const;
const both = ['member1', 'member2'];

const web = deployment('web', { replicas: 3 });
const role = clusterRole('reader');
const missing = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nobody' };

function rebalancer(
  name: string,
  workloads: WorkloadRebalancer['spec']['workloads'],
  ttlSecondsAfterFinished?: number,
): WorkloadRebalancer {
  return {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name },
    spec: { workloads, ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }) },
  };
}

/** The results in its status, as `kind name result`. */
const observes =
  (...wanted: readonly string[]) =>
  (object: KubeObject | undefined) => {
    const { observedWorkloads = [], finishTime } = (object as WorkloadRebalancer).status ?? {};
    const found = observedWorkloads.map(({ workload, result, reason }) =>
      [workload.kind, workload.name, result, reason].filter(Boolean).join(' '),
    );
    check(found).toEqual(wanted);
    check(finishTime).toBeDefined();
  };

const isGone = (object: KubeObject | undefined): void => check(object).toBeUndefined();

const weighted: Placement = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: {
      staticWeightList: [
        { targetCluster: { clusterNames: ['member1'] }, weight: 2 },
        { targetCluster: { clusterNames: ['member2'] }, weight: 1 },
      ],
    },
  },
};
const dynamic: Placement = {
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
};
const aggregated: Placement = {
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' },
};

/** Members say how many pods they can take; the simulated ones of a server do so themselves. */
async function offerCapacity({ admin, stage }: Cast): Promise<void> {
  for (const name of both) {
    const { status } = (await stage.get(refOf(memberCluster(name)))) as Cluster;
    const resourceSummary = { allocatable: { cpu: '10', memory: '10Gi', pods: '110' } };
    await admin.reports(memberCluster(name), { resourceSummary, ...status });
  }
}

/** The workload runs on both members; then member1 drives it out and takes workloads again. */
async function drivenOut(cast: Cast, placement: Placement): Promise<void> {
  const { admin, user, policy, expect } = cast;
  await offerCapacity(cast);
  await admin.creates(policy('cpp', { to: both, placement }));
  await user.creates(web);
  await expect(web).runsOn('member1', 'member2');
  await taint(cast, 'member1', [{ key: 'down', effect: 'NoExecute' }]);
  await expect(web).hasReplicas({ member2: 3 });
  await taint(cast, 'member1', []);
  await expect(web).hasReplicas({ member2: 3 });
}

describe('A WorkloadRebalancer has workloads scheduled anew', () => {
  const divisions = [
    ['replicas by static weights go back to a member that is well again', weighted],
    ['replicas by dynamic weights go back to a member that is well again', dynamic],
  ] as const;
  for (const [title, placement] of divisions) {
    scenario(
      title,
      async (cast) => {
        await drivenOut(cast, placement);
        const { admin, user, expect } = cast;
        const again = rebalancer('again', [refOf(web), missing]);
        await admin.creates(again);
        await expect(web).runsOn('member1', 'member2');
        const failed = 'Deployment nobody Failed ReferencedBindingNotFound';
        await expect(again).onHub(observes(failed, 'Deployment web Successful'));

        const other = deployment('other', { replicas: 3 });
        await user.creates(other);
        await admin.updates(rebalancer('again', [refOf(other)]));
        await expect(again).onHub(observes('Deployment other Successful', 'Deployment web Successful'));
        await admin.updates(rebalancer('again', [refOf(other)], 5));
        await admin.waits(6);
        await expect(again).onHub(isGone);
      },
      stepwise,
    );
  }

  scenario(
    'a cluster-scoped template is found by its ClusterResourceBinding, and replicas on one cluster stay there',
    async ({ admin, user, policy, expect }) => {
      const kinds = [
        { apiVersion: 'apps/v1', kind: 'Deployment' },
        { apiVersion: role.apiVersion, kind: role.kind, name: 'reader' },
      ];
      await admin.creates(policy('cpp', { to: both, placement: aggregated, select: kinds }));
      await user.creates(web, role);
      let before: Binding['spec']['clusters'];
      await expect(web).binding((binding) => {
        before = binding?.spec.clusters;
      });
      const again = rebalancer('again', [refOf(web), refOf(role)]);
      await admin.creates(again);
      await expect(again).onHub(observes('Deployment web Successful', 'ClusterRole reader Successful'));
      await expect(web).binding((binding) => {
        check(binding?.spec.clusters).toEqual(before);
        check(binding?.spec.rescheduleTriggeredAt).toBeDefined();
      });
      await expect(role).runsOn(...both);
    },
    stepwise,
  );

  scenario(
    'one with a time to live goes after it, and not before',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('cpp', { to: both, placement: weighted }));
      await user.creates(web);
      const again = rebalancer('again', [refOf(web)], 60);
      await admin.creates(again);
      await expect(again).onHub(observes('Deployment web Successful'));
      await admin.waits(30);
      await expect(again).onHub(observes('Deployment web Successful'));
      await admin.waits(31);
      await expect(again).onHub(isGone);
      await expect(web).hasReplicas({ member1: 2, member2: 1 });
    },
    stepwise,
  );

  scenario(
    'a lazy policy that was edited stays pending: only the clusters are chosen anew',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('cpp', { to: both, lazy: true }));
      await user.creates(web);
      await user.touches(web);
      await admin.updates(policy('cpp', { to: 'member3', lazy: true }));
      const again = rebalancer('again', [refOf(web)]);
      await admin.creates(again);
      await expect(again).onHub(observes('Deployment web Successful'));
      await expect(web).runsOn(...both);
    },
    stepwise,
  );

  scenario(
    'while dispatching is suspended nothing moves, and afterwards it does',
    async (cast) => {
      await drivenOut(cast, weighted);
      const { admin, policy, expect } = cast;
      await admin.updates(policy('cpp', { to: both, placement: weighted, suspend: { dispatching: true } }));
      await admin.creates(rebalancer('again', [refOf(web)]));
      await expect(web).hasReplicas({ member2: 3 });
      await admin.updates(policy('cpp', { to: both, placement: weighted }));
      await expect(web).hasReplicas({ member1: 2, member2: 1 });
    },
    stepwise,
  );
});
