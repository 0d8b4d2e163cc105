import { afterEach, expect, test } from 'vitest';
import type { Gates, KubeObject, Work } from '../../src/api/index.ts';
import { contextOf, readKubeconfig } from '../../src/client/index.ts';
import { connectTo } from '../../src/cli/connect.ts';
import type { Hub } from '../../src/cli/connect.ts';
import type { Members } from '../../src/cli/members.ts';
import { fetchSnapshot } from '../../src/cli/world/state.ts';
import { deployment, deployments, policy } from '../kit/objects.ts';
import { openSystem } from './kit.ts';

const cleanup: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanup.splice(0).reverse()) await close();
});

/** A hub whose member has reported on what it was given. */
async function reportedHub(gates: Partial<Gates>): Promise<Hub> {
  const system = await openSystem({ members: ['member1'], gates });
  cleanup.push(() => system.close());
  const web = deployment('web', { replicas: 2 });
  await system.apply(policy('web', { to: 'member1', select: [deployments()] }), web);
  await system.untilHealthy(web, 'member1');
  const config = await readKubeconfig([system.kubeconfig]);
  const { connection } = contextOf(config);
  const server = await connectTo(connection, { timeout: '30s' });
  cleanup.push(() => server.client.close());
  return { ...server, namespace: 'default', config, connection, close: () => server.client.close() };
}

const members = { listManaged: async () => undefined } as unknown as Members;
const works = (objects: readonly KubeObject[]): readonly Work[] =>
  objects.filter((object): object is Work => object.kind === 'Work');
const webWork = (objects: readonly KubeObject[]): Work | undefined =>
  works(objects).find(({ spec }) => spec.workload.manifests[0]?.kind === 'Deployment');

test('a plan reads Works without what members report, and everything else of them', async () => {
  const hub = await reportedHub({});
  const whole = (await fetchSnapshot(hub, members)).objects;
  const lean = (await fetchSnapshot(hub, members, 'plan')).objects;
  expect(webWork(whole)?.status?.manifestStatuses?.[0]?.health).toBe('Healthy');
  const bare = works(whole).map((work) => {
    const { manifestStatuses: _, ...status } = work.status ?? {};
    return { ...work, ...(work.status && { status }) };
  });
  expect(works(lean)).toEqual(bare);
}, 60_000);

test('where failover is on, a plan reads them too', async () => {
  const hub = await reportedHub({ Failover: true });
  const { objects } = await fetchSnapshot(hub, members, 'plan');
  expect(webWork(objects)?.status?.manifestStatuses?.[0]?.health).toBe('Healthy');
}, 60_000);
