import { describe, expect as check } from 'vitest';
import type { Binding, FailoverBehavior, Placement, Policy } from '../../src/api/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';
import { taint } from '../kit/taint.ts';

/** No replica of it becomes ready by itself: each scenario says when. */
const web = deployment('web', { replicas: 2, outcome: 'NeverReady' });
const both = ['member1', 'member2'];
const stepwise = { burst: false } as const;
const tainting = { ...stepwise, gates: { Failover: true } } as const;

/** On one of these members. */
const onOneOf = (...clusterNames: readonly string[]): Placement => ({
  clusterAffinity: { clusterNames },
  spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
});

type Application = NonNullable<FailoverBehavior['application']>;

/** A policy under which the workload leaves a member where it is unhealthy for half a minute. */
function movable(
  { policy }: Cast,
  application: Partial<Application>,
  more: Parameters<Cast['policy']>[1] = {},
): Policy {
  const decisionConditions = { tolerationSeconds: 30 };
  return policy('pp', {
    placement: onOneOf(...both),
    propagateDeps: true,
    failover: { application: { decisionConditions, ...application } },
    ...more,
  });
}

const gracefully = { purgeMode: 'Gracefully', gracePeriodSeconds: 120 } as const;

/** The workload runs on member1 and is ready there. */
async function running(cast: Cast, pp: Policy): Promise<void> {
  await cast.admin.creates(pp);
  await cast.user.creates(web);
  await cast.admin.readies('member1', web, 2);
  await cast.expect(web).runsOn('member1');
}

/** The tasks of the binding, as `cluster reason`. */
const evicts =
  (...wanted: readonly string[]) =>
  (binding: Binding | undefined) => {
    const tasks = binding?.spec.gracefulEvictionTasks ?? [];
    check(tasks.map(({ fromCluster, reason }) => `${fromCluster} ${reason}`)).toEqual(wanted);
  };

describe('A workload leaves a member where it stays unhealthy', () => {
  scenario(
    'gracefully: the old copy stays until the new one is healthy',
    async (cast) => {
      await running(cast, movable(cast, gracefully));
      const { admin, expect } = cast;
      await admin.readies('member1', web, 0);
      await admin.waits(20);
      await expect(web).runsOn('member1');
      await admin.waits(11);
      await expect(web).runsOn(...both);
      await expect(web).binding(evicts('member1 ApplicationFailure'));
      await admin.readies('member2', web, 2);
      await expect(web).runsOn('member2');
      await expect(web).binding(evicts());
    },
    stepwise,
  );

  scenario(
    'gracefully, and the grace period ends before the new copy is healthy',
    async (cast) => {
      await running(cast, movable(cast, { ...gracefully, gracePeriodSeconds: 10 }));
      const { admin, expect } = cast;
      await admin.readies('member1', web, 0);
      await admin.waits(31);
      await expect(web).runsOn(...both);
      await admin.waits(5);
      await expect(web).runsOn(...both);
      await admin.waits(6);
      await expect(web).runsOn('member2');
      await expect(web).binding(evicts());
    },
    stepwise,
  );

  scenario(
    'never purging: the old copy stays',
    async (cast) => {
      await running(cast, movable(cast, { purgeMode: 'Never' }));
      const { admin, expect } = cast;
      await admin.readies('member1', web, 0);
      await admin.waits(31);
      await admin.readies('member2', web, 2);
      await admin.waits(3600);
      await expect(web).runsOn(...both);
    },
    stepwise,
  );

  scenario(
    'directly: the new copy carries the state of the old one, and keeps it',
    async (cast) => {
      const rules = [{ aliasLabelName: 'was-updated', jsonPath: '{.updatedReplicas}' }];
      await running(cast, movable(cast, { purgeMode: 'Directly', statePreservation: { rules } }));
      const { admin, user, expect } = cast;
      await admin.readies('member1', web, 0);
      await admin.waits(31);
      await expect(web).runsOn('member2');
      await expect(web).says('metadata.labels.was-updated', { member2: '2' });
      await admin.readies('member2', web, 2);
      await expect(web).binding(evicts());
      await user.touches(web);
      await admin.readies('member2', web, 2);
      await expect(web).says('metadata.labels.was-updated', { member2: '2' });
    },
    { ...stepwise, gates: { StatefulFailoverInjection: true } },
  );

  scenario(
    'state that cannot be read keeps it where it is',
    async (cast) => {
      const rules = [{ aliasLabelName: 'leader', jsonPath: '{.leader}' }];
      await running(cast, movable(cast, { purgeMode: 'Directly', statePreservation: { rules } }));
      await cast.admin.readies('member1', web, 0);
      await cast.admin.waits(31);
      await cast.expect(web).runsOn('member1');
    },
    { ...stepwise, gates: { StatefulFailoverInjection: true } },
  );

  scenario(
    'health in between begins the time anew',
    async (cast) => {
      await running(cast, movable(cast, gracefully));
      const { admin, expect } = cast;
      for (let round = 0; round < 3; round++) {
        await admin.readies('member1', web, 0);
        await admin.waits(20);
        await admin.readies('member1', web, 2);
        await admin.waits(20);
      }
      await expect(web).runsOn('member1');
    },
    stepwise,
  );

  scenario(
    'an edit begins the time anew: a rollout is no failure',
    async (cast) => {
      await running(cast, movable(cast, gracefully));
      const { admin, user, expect } = cast;
      await admin.readies('member1', web, 0);
      await admin.waits(20);
      await user.updates(deployment('web', { replicas: 2, outcome: 'NeverReady', image: 'nginx:1.27' }));
      await admin.waits(20);
      await expect(web).runsOn('member1');
      await admin.waits(20);
      await expect(web).runsOn(...both);
    },
    stepwise,
  );

  scenario(
    'a hub that was away counts the time anew: it did not see the workload meanwhile',
    async (cast) => {
      await running(cast, movable(cast, gracefully));
      const { admin, expect } = cast;
      await admin.readies('member1', web, 0);
      await admin.stopsHub(3600);
      await expect(web).runsOn('member1');
      await expect(web).binding(evicts());
      await admin.waits(31);
      await expect(web).runsOn(...both);
    },
    stepwise,
  );

  scenario(
    'while dispatching is suspended it stays, and leaves afterwards',
    async (cast) => {
      await running(cast, movable(cast, gracefully));
      const { admin, expect } = cast;
      await admin.updates(movable(cast, gracefully, { suspend: { dispatching: true } }));
      await admin.readies('member1', web, 0);
      await admin.waits(31);
      await expect(web).runsOn('member1');
      await expect(web).binding(evicts());
      await admin.updates(movable(cast, gracefully));
      await expect(web).runsOn(...both);
    },
    stepwise,
  );
});

const plain = deployment('plain');

/** Drives the workload out of member1 by a taint. */
async function drivenOut(cast: Cast, failover: FailoverBehavior): Promise<void> {
  const { admin, user, policy, expect } = cast;
  await admin.creates(policy('pp', { placement: onOneOf(...both), failover }));
  await user.creates(plain);
  await expect(plain).runsOn('member1');
  await taint(cast, 'member1', [{ key: 'down', effect: 'NoExecute' }]);
}

describe('A workload leaves a member with a taint that it does not tolerate', () => {
  const leaves = (failover: FailoverBehavior) => async (cast: Cast) => {
    await drivenOut(cast, failover);
    await cast.expect(plain).runsOn('member2');
    await taint(cast, 'member1', []);
    await cast.expect(plain).runsOn('member2');
  };
  scenario('with no word in the policy', leaves({}), tainting);
  scenario('gracefully, by a taint', leaves({ cluster: { purgeMode: 'Gracefully' } }), tainting);
  scenario('directly, by a taint', leaves({ cluster: { purgeMode: 'Directly' } }), tainting);

  scenario(
    'directly, with its state',
    async (cast) => {
      const rules = [{ aliasLabelName: 'had', jsonPath: '{.replicas}' }];
      await drivenOut(cast, { cluster: { purgeMode: 'Directly', statePreservation: { rules } } });
      await cast.expect(plain).runsOn('member2');
      await cast.expect(plain).says('metadata.labels.had', { member2: '2' });
    },
    { ...stepwise, gates: { Failover: true, StatefulFailoverInjection: true } },
  );
});
