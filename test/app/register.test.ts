import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cluster } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { register } from '../../src/app/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { memberCluster } from '../kit/objects.ts';

let live: Live;
beforeAll(async () => {
  live = await startLive({ members: ['member1'] });
});
afterAll(() => live.close());

const registered = (): Promise<Cluster> => live.user.get<Cluster>(refOf(memberCluster('member1')));

test('a member is known by the uid of its kube-system namespace', async () => {
  const home = await live.member('member1').get({ apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' });
  expect((await registered()).spec.id).toBe(home.metadata.uid);
});

test('registering it again writes nothing', async () => {
  await live.untilReady();
  await live.settle();
  const before = await registered();
  await register(live.user, live.simulated('member1'));
  expect((await registered()).metadata.generation).toBe(before.metadata.generation);
});

test('the same cluster under another name is refused, and nothing is left of the attempt', async () => {
  const { url, caBundle, token } = live.simulated('member1');
  await expect(register(live.user, { name: 'twin', url, caBundle, token })).rejects.toThrow(
    'twin is the same cluster as member1',
  );
  expect(await live.user.find(refOf(memberCluster('twin')))).toBeUndefined();
  const secret = { apiVersion: 'v1', kind: 'Secret', namespace: 'karmada-cluster', name: 'twin' };
  expect(await live.user.find(secret)).toBeUndefined();
});
