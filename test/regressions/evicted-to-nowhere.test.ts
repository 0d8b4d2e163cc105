import { deployment } from '../kit/objects.ts';
import { scenario } from '../kit/scenario.ts';
import { taint } from '../kit/taint.ts';

const nginx = deployment('nginx');
const dead = [{ key: 'example.com/dead', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' }];

scenario(
  'The only copy of an evicted workload stays until there is a place for another',
  async (cast) => {
    const { admin, user, policy, expect } = cast;
    await admin.creates(policy('pp', { to: 'member1' }));
    await user.creates(nginx);
    await taint(cast, 'member1', dead);
    await admin.waits(3600);
    await expect(nginx).runsOn('member1');
    await admin.updates(policy('pp', { to: ['member1', 'member2'] }));
    await expect(nginx).runsOn('member2');
  },
  { burst: false, gates: { Failover: true } },
);
