import { describe, expect as check } from 'vitest';
import type { Binding, KubeObject, Placement } from '../../src/api/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';

/** No replica of it becomes ready by itself: each scenario says when. */
const sized = (replicas: number): KubeObject => deployment('web', { replicas, outcome: 'NeverReady' });
const four = sized(4);
const over = (...clusterNames: readonly string[]): Placement => ({
  clusterAffinity: { clusterNames },
  replicaScheduling: { replicaSchedulingType: 'Divided' },
});

/** Readiness in a member is set between the steps. */
const stepwise = { burst: false } as const;

describe('Replicas that are divided leave as fast as they are ready elsewhere', () => {
  scenario(
    'a part moves',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { placement: over('member1') }));
      await user.creates(four);
      await admin.readies('member1', four, 4);
      await admin.updates(policy('pp', { placement: over('member1', 'member2') }));
      await expect(four).hasReplicas({ member1: 4, member2: 2 });
      await admin.readies('member2', four, 1);
      await expect(four).hasReplicas({ member1: 3, member2: 2 });
      await admin.readies('member2', four, 2);
      await expect(four).hasReplicas({ member1: 2, member2: 2 });
    },
    stepwise,
  );

  scenario(
    'all of them move',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { placement: over('member1') }));
      await user.creates(four);
      await admin.readies('member1', four, 4);
      await admin.updates(policy('pp', { placement: over('member2') }));
      await expect(four).hasReplicas({ member1: 4, member2: 4 });
      await admin.readies('member2', four, 3);
      await expect(four).hasReplicas({ member1: 1, member2: 4 });
      await admin.readies('member2', four, 4);
      await expect(four).hasReplicas({ member2: 4 });
    },
    stepwise,
  );

  scenario(
    'scaling down is not a move and does not wait',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { placement: over('member1', 'member2') }));
      await user.creates(four);
      await admin.readies('member1', four, 2);
      await admin.readies('member2', four, 2);
      await user.updates(sized(2));
      await expect(four).hasReplicas({ member1: 1, member2: 1 });
      await expect(four).binding((binding: Binding | undefined) =>
        check(binding?.spec.gracefulEvictionTasks ?? []).toEqual([]),
      );
    },
    stepwise,
  );

  scenario(
    'moving back half-way gives the replicas back',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { placement: over('member1') }));
      await user.creates(four);
      await admin.readies('member1', four, 4);
      await admin.updates(policy('pp', { placement: over('member2') }));
      await admin.updates(policy('pp', { placement: over('member1') }));
      await expect(four).hasReplicas({ member1: 4 });
    },
    stepwise,
  );
});

describe('Replicas that a suspension keeps on the old member', () => {
  const suspension = { dispatchingOnClusters: { clusterNames: ['member1'] } };

  scenario(
    'leave after it only as fast as those that are wanted meanwhile are ready elsewhere',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { placement: over('member1') }));
      await user.creates(sized(4));
      await admin.readies('member1', sized(4), 4);
      await admin.updates(policy('pp', { placement: over('member2'), suspension }));
      await admin.readies('member2', sized(4), 4);
      await expect(sized(4)).hasReplicas({ member1: 4, member2: 4 });
      await user.updates(sized(8));
      await admin.readies('member2', sized(8), 4);
      await expect(sized(8)).hasReplicas({ member1: 4, member2: 8 });
      await admin.updates(policy('pp', { placement: over('member2') }));
      await expect(sized(8)).hasReplicas({ member1: 4, member2: 8 });
      await admin.readies('member2', sized(8), 6);
      await expect(sized(8)).hasReplicas({ member1: 2, member2: 8 });
      await admin.readies('member2', sized(8), 8);
      await expect(sized(8)).hasReplicas({ member2: 8 });
    },
    stepwise,
  );

  scenario(
    'are kept again when they are wanted again before it ends',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { placement: over('member1') }));
      await user.creates(sized(4));
      await admin.readies('member1', sized(4), 4);
      await admin.updates(policy('pp', { placement: over('member2'), suspension }));
      await user.updates(sized(1));
      await user.updates(sized(4));
      await admin.updates(policy('pp', { placement: over('member2') }));
      await expect(sized(4)).hasReplicas({ member1: 4, member2: 4 });
      await admin.readies('member2', sized(4), 3);
      await expect(sized(4)).hasReplicas({ member1: 1, member2: 4 });
      await admin.readies('member2', sized(4), 4);
      await expect(sized(4)).hasReplicas({ member2: 4 });
    },
    stepwise,
  );
});

describe('Scaling down', () => {
  const weightOf = (name: string, weight: number) => ({ targetCluster: { clusterNames: [name] }, weight });
  const weighted: Placement = {
    clusterAffinity: { clusterNames: ['member1', 'member2'] },
    replicaScheduling: {
      replicaSchedulingType: 'Divided',
      replicaDivisionPreference: 'Weighted',
      weightPreference: { staticWeightList: [weightOf('member1', 2), weightOf('member2', 1)] },
    },
  };

  scenario(
    'keeps a replica that is ready until another one is',
    async ({ admin, user, policy, expect }) => {
      await admin.creates(policy('pp', { placement: weighted }));
      await user.creates(sized(3));
      await admin.readies('member2', sized(3), 1);
      await expect(sized(3)).hasReplicas({ member1: 2, member2: 1 });
      await user.updates(sized(1));
      await expect(sized(1)).hasReplicas({ member1: 1, member2: 1 });
      await admin.readies('member1', sized(1), 1);
      await expect(sized(1)).hasReplicas({ member1: 1 });
    },
    stepwise,
  );
});
