// The status of another object of the same name in a member was taken for the status of ours.
import { expect as check } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { until } from '../kit/until.ts';
import { scenario } from '../kit/scenario.ts';
import { all, nginx, paused } from '../kit/suspension.ts';

const plain = (object: KubeObject): KubeObject => {
  const { labels: _, annotations: __, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, labels: { app: 'nginx' } } };
};

scenario(
  'an object of that name that is not ours says nothing of ours',
  async ({ admin, user, policy, expect, stage }) => {
    await admin.creates(policy('pp', { to: 'member1' }));
    await user.creates(nginx);
    await expect(nginx).runsOn('member1');
    const replicas = async (): Promise<unknown> =>
      ((await stage.get(refOf(nginx))) as { status?: { replicas?: number } } | undefined)?.status?.replicas;
    await until('its status is there', async () => (await replicas()) === 2);

    await admin.updates(policy('pp', { to: 'member1', suspend: all }));
    await user.tampers('member1', nginx, (live) => {
      const { spec } = live as KubeObject & { readonly spec: object };
      return { ...plain(live), spec: { ...spec, replicas: 9 } } as KubeObject;
    });
    await expect(nginx).hasReplicas({ member1: 9 });
    check(await replicas()).toBe(2);
    await user.tampers('member1', nginx, () => undefined);
  },
  paused,
);
