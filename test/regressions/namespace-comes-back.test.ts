import type { KubeObject } from '../../src/api/index.ts';
import { workRef } from '../../src/engine/fleet/index.ts';
import { scenario } from '../kit/scenario.ts';

const shop: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'a' } } };

scenario(
  'A namespace whose Work somebody deletes comes back to the member',
  async ({ user, stage, expect }) => {
    await user.creates(shop);
    await expect(shop).runsOn(...stage.members);
    await stage.delete(workRef(shop, 'member1'));
    await expect(shop).work('member1', (work) => {
      if (!work || work.metadata.deletionTimestamp) throw new Error('its Work is not there');
    });
    await expect(shop).runsOn(...stage.members);
  },
  { scopes: ['cluster'], burst: false },
);
