import type { KubeObject } from '../../src/api/index.ts';
import { scenario } from '../kit/scenario.ts';

const shop = (team: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop', labels: { team } },
});
const select = [{ apiVersion: 'v1', kind: 'Namespace', name: 'shop' }];

scenario(
  'A namespace that every member has already follows the policy that selects it later',
  async ({ admin, user, policy, expect, stage }) => {
    await user.creates(shop('a'));
    await expect(shop('a')).runsOn(...stage.members);
    await admin.creates(policy('namespaces', { to: ['member1', 'member2'], select }));
    await expect(shop('a')).runsOn(...stage.members);
    await user.updates(shop('b'));
    await expect(shop('b')).says('metadata.labels.team', { member1: 'b', member2: 'b', member3: 'a' });
    await admin.updates(policy('namespaces', { to: ['member1', 'member2'], select, suspend: { dispatching: true } }));
    await expect(shop('b')).isSuspendedOn('member1', 'member2');
  },
  { scopes: ['cluster'], burst: false },
);
