/** Parts of a real installation go away under load and come back: nothing is inferred, nothing is lost, work resumes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { openSite } from '../kit/kube/site.ts';
import type { Role, Site } from '../kit/kube/site.ts';
import { deployment, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

let site: Site;
let member: ApiClient;
let webhook: Role;
let controllers: Role;

beforeAll(async () => {
  // The member has an etcd of its own: it goes on while the etcd of the hub is away.
  site = await openSite({ members: ['member1'], ownEtcd: true });
  webhook = await site.startWebhook();
  controllers = await site.startControllers('--leader-elect', '--lease-seconds=6');
  await site.joinAll();
  member = (await site.members.get('member1')?.client()) as ApiClient;
  await site.user.create({ ...policy('all', { to: 'member1' }), spec: everything } as KubeObject);
});
afterAll(async () => site?.close());

const everything = {
  resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
  placement: { clusterAffinity: { clusterNames: ['member1'] } },
};

/** The managed objects of the member, each with its identity and the number of its specs. */
async function placed(): Promise<readonly string[]> {
  const kind = { apiVersion: 'apps/v1', kind: 'Deployment' };
  const { items } = await member.listAll(kind, { labelSelector: 'karmada.io/managed=true' });
  return items.map(({ metadata: { name, uid, generation } }) => `${name} ${uid} ${generation}`).toSorted();
}

const create = async (from: number, to: number): Promise<void> => {
  for (let i = from; i < to; i++) await site.user.create(deployment(`app-${i}`));
};
const count = async (wanted: number): Promise<readonly string[]> =>
  until(`${wanted} are placed`, async () => {
    const found = await placed();
    return found.length === wanted && found;
  });

/** A process that lost its lease while the hub was away has ended: what started it starts it again. */
async function withController(): Promise<void> {
  const ended = await Promise.race([controllers.exited.then(() => true), leading().then(() => false)]);
  if (ended) controllers = await site.startControllers('--leader-elect', '--lease-seconds=6');
}

const leading = (): Promise<unknown> =>
  until('the controllers lead', async () => /^sluice_leader 1$/m.test(await controllers.get('/metrics')), 120_000);

test('etcd and the kube-apiserver of the hub are killed under load and started again', async () => {
  await create(0, 10);
  const before = await count(10);
  await create(10, 15);
  await site.etcd.stop('SIGKILL');
  await site.hub.stop('SIGKILL');
  await until('the controllers notice', async () =>
    /^sluice_leader 0$/m.test(await controllers.get('/metrics').catch(() => 'sluice_leader 0\n')),
  );
  expect(await placed()).toEqual(expect.arrayContaining([...before]));
  await site.etcd.start();
  await site.hub.start();
  await withController();
  await create(15, 20);
  expect(await count(20)).toEqual(expect.arrayContaining([...before]));
});

test('a member that is killed while it is written to is brought up to date when it is back', async () => {
  const cluster = site.members.get('member1');
  const before = await count(20);
  const creating = create(20, 30);
  await cluster?.stop('SIGKILL');
  await creating;
  await cluster?.start();
  expect(await count(30)).toEqual(expect.arrayContaining([...before]));
});

test('without a webhook no policy is stored, and what is placed stays', async () => {
  const before = await count(30);
  await webhook.stop('SIGKILL');
  await expect(site.user.create(policy('bad', { to: 'member1', exclude: [{}] }))).rejects.toThrow(
    /failed calling webhook/,
  );
  await expect(site.user.delete(refOf(policy('all', { to: 'member1' })))).rejects.toThrow(/failed calling webhook/);
  await site.user.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'free', namespace: 'default' } });
  webhook = await site.startWebhook();
  await create(30, 31);
  expect(await count(31)).toEqual(expect.arrayContaining([...before]));
});

test('history that is compacted away makes the controllers read again, and nothing moves', async () => {
  const before = await count(31);
  await site.hub.stop('SIGKILL');
  await site.etcd.compact();
  await site.hub.start();
  await withController();
  await create(31, 33);
  expect(await count(33)).toEqual(expect.arrayContaining([...before]));
});
