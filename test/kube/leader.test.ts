/** Several replicas of the controllers: one leads, another takes over, and one that was paused writes nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refOf } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { openSite } from '../kit/kube/site.ts';
import type { Role, Site } from '../kit/kube/site.ts';
import { deployment, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

const leaseSeconds = 6;
const flags = ['--leader-elect', `--lease-seconds=${leaseSeconds}`];
const count = 30;
let site: Site;
let member: ApiClient;
let [first, second]: (Role | undefined)[] = [];

beforeAll(async () => {
  site = await openSite({ members: ['member1'], audited: ['first'] });
  await site.startWebhook('--controller-users=first,second');
  first = await site.startControllersAs({ name: 'first' }, ...flags);
  await until('the first leads', () => leads(first));
  second = await site.startControllersAs({ name: 'second' }, ...flags);
  await site.joinAll();
  member = (await site.members.get('member1')?.client()) as ApiClient;
});
afterAll(async () => site?.close());

const leads = async (role: Role | undefined): Promise<boolean> =>
  /^sluice_leader 1$/m.test((await role?.get('/metrics')) ?? '');

async function placed(): Promise<readonly KubeObject[]> {
  const kind = { apiVersion: 'apps/v1', kind: 'Deployment' };
  return (await member.listAll(kind, { labelSelector: 'karmada.io/managed=true' })).items;
}

test('a leader that is paused under load is replaced within the lease time, and writes nothing when it wakes up', async () => {
  await site.user.create({ ...policy('all', { to: 'member1' }), spec: everything } as KubeObject);
  for (let i = 0; i < count; i++) await site.user.create(deployment(`app-${i}`));
  await until('the first is at work', async () => (await placed()).length > 0);
  first?.signal('SIGSTOP');
  const paused = Date.now();
  await until('the second leads', () => leads(second));
  expect(Date.now() - paused).toBeLessThan(2 * leaseSeconds * 1000);
  await until('everything is placed', async () => (await placed()).length === count);
  const before = await until('the member is at rest', async () => {
    const [now, later] = [await contents(), await contents()];
    return now === later && now;
  });
  const woken = Date.now();
  first?.signal('SIGCONT');
  expect(await first?.exited).toBe(1);
  expect(first?.tail()).toContain('another process has the lease');
  expect(await site.writesOf('first', woken)).toEqual([]);
  expect(await site.writesOf('first', 0)).not.toEqual([]);
  expect(await contents()).toBe(before);
  // The second leader took up the objects of the first: none was made anew, none was written twice.
  for (const { metadata } of await placed()) expect(metadata.generation).toBe(1);
});

test('a leader that is told to stop hands over at once', async () => {
  first = await site.startControllersAs({ name: 'first' }, ...flags);
  await second?.stop();
  const stopped = Date.now();
  await until('the first leads', () => leads(first));
  expect(Date.now() - stopped).toBeLessThan(leaseSeconds * 1000);
  await site.user.delete(refOf(deployment('app-0')));
  await until('it is gone', async () => (await placed()).length === count - 1);
});

const everything = {
  resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
  placement: { clusterAffinity: { clusterNames: ['member1'] } },
};

/** The specs of all that is placed, with the writers that the member recorded. */
async function contents(): Promise<string> {
  const items = await placed();
  return JSON.stringify(
    items.map(({ metadata: { name, uid, generation } }) => `${name} ${uid} ${generation}`).toSorted(),
  );
}
