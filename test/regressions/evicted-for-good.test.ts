import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import { taint } from '../kit/taint.ts';

const nginx = deployment('nginx');
const night = [{ key: 'example.com/night', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' }];
const forAWhile = [
  { key: 'example.com/night', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 },
] as const;

scenario(
  'A workload that a taint has evicted, tolerated only for a while, does not come back while the taint is there',
  async (cast) => {
    const { admin, user, policy, expect } = cast;
    const to = ['member1', 'member2'];
    await admin.creates(policy('pp', { to, placement: { clusterTolerations: forAWhile } }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1', 'member2');
    await taint(cast, 'member1', night);
    await admin.waits(10);
    await expect(nginx).runsOn('member2');
    await taint(cast, 'member1', []);
    await expect(nginx).runsOn('member1', 'member2');
  },
  { burst: false, gates: { Failover: true } },
);
