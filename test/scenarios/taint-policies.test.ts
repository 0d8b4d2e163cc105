import { describe, expect as check } from 'vitest';
import type { Cluster, ClusterTaintPolicy, KubeObject } from '../../src/api/index.ts';
import { deployment, memberCluster } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';
import { taint } from '../kit/taint.ts';

const nginx = deployment('nginx');
const member1 = memberCluster('member1');
const gates = { Failover: true } as const;
/** The conditions of a member are reported step by step; a policy for members has one scope. */
const stepwise = { gates, burst: false, scopes: ['namespace'] } as const;

const down = (type: string) => ({ conditionType: type, operator: 'In', statusValues: ['False', 'Unknown'] }) as const;
const up = (type: string) => ({ conditionType: type, operator: 'In', statusValues: ['True'] }) as const;

/** Taints member1 while these conditions are not True, all of them. */
function taints(
  name: string,
  conditions: readonly string[],
  effects: readonly ('NoSchedule' | 'NoExecute')[] = ['NoSchedule'],
): ClusterTaintPolicy {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name },
    spec: {
      targetClusters: { clusterNames: ['member1'] },
      addOnConditions: conditions.map(down),
      removeOnConditions: conditions.map(up),
      taints: effects.map((effect) => ({ key: 'example.com/broken', effect })),
    },
  };
}

/** Something reports conditions of a member beside those that the hub finds itself; they outlive a scenario. */
async function reports({ admin, stage }: Cast, member: string, found: Readonly<Record<string, string>>): Promise<void> {
  const ref = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name: member };
  const { status } = (await stage.get(ref)) as Cluster;
  const kept = status?.conditions?.filter(({ type }) => !(type in found)) ?? [];
  const news = Object.entries(found).map(([type, value]) => ({
    type,
    status: value,
    reason: '',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));
  await admin.reports(memberCluster(member), { ...status, conditions: [...kept, ...news] });
}

/** The taints of a cluster, as `key:effect`. */
const has =
  (...wanted: readonly string[]) =>
  (object: KubeObject | undefined) => {
    const { spec } = object as Cluster;
    check((spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`)).toEqual(wanted);
  };

const broken = 'example.com/broken:NoSchedule';

describe('A ClusterTaintPolicy taints members by their conditions', () => {
  scenario(
    'one condition adds the taint, and removes it again',
    async (cast) => {
      const { admin, expect } = cast;
      await admin.creates(taints('network', ['NetworkReady']));
      await expect(member1).onHub(has());
      await reports(cast, 'member1', { NetworkReady: 'False' });
      await reports(cast, 'member2', { NetworkReady: 'False' });
      await expect(member1).onHub(has(broken));
      await expect(memberCluster('member2')).onHub(has());
      await reports(cast, 'member1', { NetworkReady: 'True' });
      await expect(member1).onHub(has());
    },
    stepwise,
  );

  scenario(
    'several conditions must all hold, and a missing one does not hold',
    async (cast) => {
      const { admin, expect } = cast;
      await admin.creates(taints('all', ['NetworkReady', 'StorageReady']));
      await reports(cast, 'member1', { NetworkReady: 'False' });
      await expect(member1).onHub(has());
      await reports(cast, 'member1', { StorageReady: 'Unknown' });
      await expect(member1).onHub(has(broken));
      await reports(cast, 'member1', { NetworkReady: 'True' });
      await expect(member1).onHub(has(broken));
      await reports(cast, 'member1', { StorageReady: 'True' });
      await expect(member1).onHub(has());
    },
    stepwise,
  );

  scenario(
    'a policy that comes later acts on conditions that are there, and takes nothing back when it goes',
    async (cast) => {
      const { admin, expect } = cast;
      await reports(cast, 'member1', { NetworkReady: 'False' });
      const network = taints('network', ['NetworkReady'], ['NoSchedule', 'NoExecute']);
      await admin.creates(network);
      await expect(member1).onHub(has(broken, 'example.com/broken:NoExecute'));
      await admin.deletes(network);
      await expect(member1).onHub(has(broken, 'example.com/broken:NoExecute'));
      await reports(cast, 'member1', { NetworkReady: 'True' });
      await taint(cast, 'member1', []);
    },
    stepwise,
  );

  scenario(
    'its NoExecute taint evicts, and its end lets workloads in again',
    async (cast) => {
      const { admin, user, policy, expect } = cast;
      await admin.creates(taints('network', ['NetworkReady'], ['NoExecute']));
      await admin.creates(policy('pp', { to: ['member1', 'member2'] }));
      await user.creates(nginx);
      await expect(nginx).runsOn('member1', 'member2');
      await reports(cast, 'member1', { NetworkReady: 'False' });
      await expect(nginx).runsOn('member2');
      await reports(cast, 'member1', { NetworkReady: 'True' });
      await expect(nginx).runsOn('member1', 'member2');
    },
    stepwise,
  );

  scenario(
    'policies that disagree settle, and keep the time of a taint',
    async (cast) => {
      const { admin, expect } = cast;
      const adds = taints('adds', ['NetworkReady']);
      const removes = { ...adds.spec, addOnConditions: [], removeOnConditions: [down('NetworkReady')] };
      await admin.creates({ ...adds, metadata: { name: 'a-removes' }, spec: removes } as KubeObject, adds);
      await reports(cast, 'member1', { NetworkReady: 'False' });
      let since: string | undefined;
      await expect(member1).onHub((object) => {
        const [first] = (object as Cluster).spec.taints ?? [];
        check(first).toMatchObject({ key: 'example.com/broken' });
        since = first?.timeAdded;
      });
      await admin.waits(60);
      await admin.edits(
        adds,
        (live) =>
          ({
            ...live,
            spec: {
              ...(live as ClusterTaintPolicy).spec,
              addOnConditions: [down('NetworkReady'), down('NetworkReady')],
            },
          }) as KubeObject,
      );
      await expect(member1).onHub((object) => check((object as Cluster).spec.taints?.[0]?.timeAdded).toBe(since));
      await reports(cast, 'member1', { NetworkReady: 'True' });
      await taint(cast, 'member1', []);
    },
    stepwise,
  );

  scenario(
    'the taints of the Ready condition are not for it to change',
    async (cast) => {
      const { admin, expect } = cast;
      const ready = taints('ready', ['NetworkReady']);
      const spec = { ...ready.spec, taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' as const }] };
      await admin.creates({ ...ready, spec } as KubeObject);
      await reports(cast, 'member1', { NetworkReady: 'False' });
      await expect(member1).onHub(has());
      await reports(cast, 'member1', { NetworkReady: 'True' });
    },
    stepwise,
  );

  scenario(
    'nothing is tainted while the gate Failover is off',
    async (cast) => {
      await cast.admin.creates(taints('network', ['NetworkReady']));
      await reports(cast, 'member1', { NetworkReady: 'False' });
      await cast.expect(member1).onHub(has());
    },
    { ...stepwise, gates: {} },
  );
});

describe('A taint keeps new workloads out', () => {
  scenario(
    'a workload goes only where it tolerates the taints',
    async (cast) => {
      const { admin, user, policy, expect } = cast;
      const members = ['member1', 'member2', 'member3'];
      for (const value of members) await taint(cast, value, [{ key: 'zone', value, effect: 'NoSchedule' }]);
      const clusterTolerations = [{ key: 'zone', operator: 'Equal', value: 'member2', effect: 'NoSchedule' }] as const;
      await admin.creates(policy('pp', { to: members, placement: { clusterTolerations } }));
      await user.creates(nginx);
      await expect(nginx).runsOn('member2');
      for (const member of members) await taint(cast, member, []);
    },
    { burst: false },
  );
});
