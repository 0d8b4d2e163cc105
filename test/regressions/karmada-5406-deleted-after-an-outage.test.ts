// https://github.com/karmada-io/karmada/issues/5406
import { expect, test } from 'vitest';
import type { Cluster } from '../../src/api/index.ts';
import { keyOf, refOf } from '../../src/api/index.ts';
import { withCondition } from '../../src/engine/index.ts';
import { modelStage } from '../kit/model.ts';
import type { ModelStage } from '../kit/model.ts';
import { deployment, memberCluster, policy } from '../kit/objects.ts';

const nginx = deployment('nginx');
const outage = { type: 'Ready', reason: 'ClusterNotReachable', message: 'no answer' } as const;

async function says(stage: ModelStage, status: 'True' | 'False' | 'Unknown'): Promise<void> {
  const ref = refOf(memberCluster('member1'));
  const cluster = stage.world.get(keyOf(ref)) as Cluster;
  const conditions = withCondition(cluster.status?.conditions, { ...outage, status }, stage.world.now);
  await stage.writeStatus(ref, { ...cluster.status, conditions });
}

test.each(['False', 'Unknown'] as const)(
  'a member that was %s for hours, with restarts meanwhile, loses nothing when it is back',
  async (status) => {
    const stage = await modelStage({});
    await stage.apply(policy('pp', { to: ['member1', 'member2'] }));
    await stage.apply(nginx);
    await stage.settle();
    const before = await stage.fleet();

    stage.world.silent.add('member1');
    await says(stage, status);
    for (let hour = 0; hour < 3; hour++) {
      await stage.advance(3600);
      await stage.restart();
      await stage.settle();
    }
    expect(await stage.fleet()).toEqual(before);

    stage.world.silent.delete('member1');
    await says(stage, 'True');
    await stage.restart();
    await stage.settle();
    expect(await stage.fleet()).toEqual(before);
  },
);
