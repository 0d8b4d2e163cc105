import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cluster } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { startLive } from '../kit/live.ts';
import type { Live } from '../kit/live.ts';
import { configMap, configMaps, memberCluster, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

let live: Live;
beforeAll(async () => {
  live = await startLive({ members: ['old', 'new'] });
  await live.untilReady();
});
afterAll(() => live.close());

const labels = { app: 'web' };
const web = configMap('web', { labels });
const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** Lets the Cluster `old` be reached where another member is. */
async function movesTo(member: string): Promise<void> {
  const { url, token, caBundle } = live.simulated(member);
  const { spec } = await live.user.get<Cluster>(refOf(memberCluster('old')));
  if (!spec.secretRef) throw new Error('the member has no secret');
  const data = { token: encoded(token), caBundle: encoded(caBundle) };
  await live.user.patch({ apiVersion: 'v1', kind: 'Secret', ...spec.secretRef }, { data }, { type: 'merge' });
  await live.user.patch(refOf(memberCluster('old')), { spec: { apiEndpoint: url } }, { type: 'merge' });
}

test('a member that is reached elsewhere gets everything there, and is looked after there', async () => {
  const select = [configMaps({ labelSelector: { matchLabels: labels } })];
  await live.apply(policy('web', { to: 'old', select }), web);
  await until('it is where it was sent', async () => (await live.placesOf(refOf(web))).includes('old'));
  await live.user.delete(refOf(memberCluster('new')));
  await until('the other has left', async () => !(await live.user.find(refOf(memberCluster('new')))));

  await movesTo('new');
  await until('it is at the new place', async () => (await live.placesOf(refOf(web))).includes('new'));

  await live.member('new').patch(refOf(web), { data: { value: 'drifted' } }, { type: 'merge' });
  await until('drift is repaired there', async () => {
    const { data } = await live.member('new').get<typeof web & { data: { value: string } }>(refOf(web));
    return data.value !== 'drifted';
  });

  const there = await live.member('new').get(refOf(web));
  await live.member('old').patch(refOf(web), { data: { value: 'nobody looks' } }, { type: 'merge' });
  await live.settle();
  expect((await live.member('new').get(refOf(web))).metadata.resourceVersion).toBe(there.metadata.resourceVersion);
}, 60_000);
