import { describe, expect as check } from 'vitest';
import type { Binding, Cluster, ClusterTaintPolicy, KubeObject } from '../../src/api/index.ts';
import { deployment, memberCluster } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';

const web = deployment('web');
const stepwise = { gates: { Failover: true }, burst: false, scopes: ['namespace'] } as const;

/** Evicts from members whose network fails. */
const network: ClusterTaintPolicy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'network' },
  spec: {
    addOnConditions: [{ conditionType: 'NetworkReady', operator: 'In', statusValues: ['False'] }],
    removeOnConditions: [{ conditionType: 'NetworkReady', operator: 'In', statusValues: ['True'] }],
    taints: [{ key: 'example.com/network', effect: 'NoExecute' }],
  },
};

/** Something reports the network of a member; the report outlives a scenario. */
async function reports({ admin, stage }: Cast, member: string, status: 'True' | 'False'): Promise<void> {
  const ref = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: member };
  const before = ((await stage.get(ref)) as Cluster).status;
  const kept = before?.conditions?.filter(({ type }) => type !== 'NetworkReady') ?? [];
  const found = { type: 'NetworkReady', status, reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
  await admin.reports(memberCluster(member), { ...before, conditions: [...kept, found] });
}

/** It runs on member1 alone and may run anywhere. */
async function running({ admin, user, policy, expect }: Cast): Promise<void> {
  const placement = { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }] } as const;
  await admin.creates(network, policy('pp', { placement }));
  await user.creates(web);
  await expect(web).runsOn('member1');
}

const outage = (status: string | undefined) => (object: KubeObject | undefined) => {
  const condition = (object as Cluster).status?.conditions?.find(({ type }) => type === 'Outage');
  check(condition?.status).toBe(status);
};

const evictsNothing = (binding: Binding | undefined): void =>
  check(binding?.spec.gracefulEvictionTasks ?? []).toEqual([]);

describe('When too much of the fleet fails together, nothing is evicted', () => {
  scenario(
    'one member that fails is left, as ever',
    async (cast) => {
      await running(cast);
      await reports(cast, 'member1', 'False');
      await cast.expect(web).runsOn('member2');
      await cast.expect(memberCluster('member1')).onHub(outage(undefined));
      await reports(cast, 'member1', 'True');
    },
    stepwise,
  );

  scenario(
    'half of it: all stays, the members say so, and evictions go on a minute after one is back',
    async (cast) => {
      const { expect } = cast;
      await reports(cast, 'member2', 'False');
      await running(cast);
      await reports(cast, 'member1', 'False');
      await expect(web).runsOn('member1');
      await expect(web).binding(evictsNothing);
      for (const name of ['member1', 'member2']) await expect(memberCluster(name)).onHub(outage('True'));
      await expect(memberCluster('member3')).onHub(outage(undefined));
      await reports(cast, 'member2', 'True');
      await expect(memberCluster('member1')).onHub(outage('False'));
      await expect(memberCluster('member2')).onHub(outage('False'));
      await expect(web).runsOn('member1');
      await cast.admin.waits(61);
      await expect(web).runsOn('member2');
      await reports(cast, 'member1', 'True');
    },
    stepwise,
  );

  scenario(
    'members that fail far apart in time are no outage',
    async (cast) => {
      await reports(cast, 'member2', 'False');
      await running(cast);
      await cast.admin.waits(301);
      await reports(cast, 'member1', 'False');
      await cast.expect(web).runsOn('member3');
      await reports(cast, 'member1', 'True');
      await reports(cast, 'member2', 'True');
    },
    stepwise,
  );

  scenario(
    'the share is a setting',
    async (cast) => {
      await reports(cast, 'member2', 'False');
      await running(cast);
      await reports(cast, 'member1', 'False');
      await cast.expect(web).runsOn('member3');
      await reports(cast, 'member1', 'True');
      await reports(cast, 'member2', 'True');
    },
    { ...stepwise, settings: { outagePercent: 50 } },
  );
});
