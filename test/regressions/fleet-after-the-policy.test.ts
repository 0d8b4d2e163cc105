import type { KubeObject } from '../../src/api/index.ts';
import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import type { Cast } from '../kit/scenario.ts';

const nginx = deployment('nginx');
const zone = { labelSelector: { matchLabels: { zone: 'a' } } };
const oneCluster = { spreadConstraints: [{ spreadByField: 'cluster' as const, maxGroups: 1, minGroups: 1 }] };
const dead = [{ key: 'example.com/dead', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' }];

async function editMember({ admin, stage }: Cast, name: string, part: (live: KubeObject) => object): Promise<void> {
  const cluster = await stage.get({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name });
  if (cluster) await admin.edits(cluster, (live) => ({ ...live, ...part(live) }));
}

const joinsZone = (cast: Cast, member: string): Promise<void> =>
  editMember(cast, member, ({ metadata }) => ({ metadata: { ...metadata, labels: { zone: 'a' } } }));

const dies = (cast: Cast, member: string): Promise<void> =>
  editMember(cast, member, (live) => ({ spec: { ...(live as { spec?: object }).spec, taints: dead } }));

scenario(
  'The arrival of a lazy policy moves nothing, although the fleet has changed since the former policy went',
  async (cast) => {
    const { admin, user, policy, expect, unchanged } = cast;
    await joinsZone(cast, 'member1');
    await admin.creates(policy('former', { to: zone }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
    await unchanged(() => admin.deletes(policy('former')));
    await unchanged(() => joinsZone(cast, 'member2'));
    await unchanged(() => admin.creates(policy('lazy', { to: 'member3', lazy: true })));
    await expect(nginx).isManagedBy('lazy');
    await unchanged(() => joinsZone(cast, 'member4'));
    await user.touches(nginx);
    await expect(nginx).runsOn('member3');
  },
  { burst: false },
);

for (const [what, lazy] of [
  ['whose policy went away', false],
  ['that a lazy policy has claimed since', true],
] as const) {
  scenario(
    `A workload ${what} is replaced when its cluster is tainted`,
    async (cast) => {
      const { admin, user, policy, expect, unchanged } = cast;
      await admin.creates(policy('former', { to: { labelSelector: {} }, placement: oneCluster }));
      await user.creates(nginx);
      await expect(nginx).runsOn('member1');
      await admin.deletes(policy('former'));
      if (lazy) await unchanged(() => admin.creates(policy('lazy', { to: 'member4', lazy })));
      await dies(cast, 'member1');
      await admin.waits(1000);
      await expect(nginx).runsOn('member2');
    },
    { burst: false, gates: { Failover: true } },
  );
}
