import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultGates } from '../../src/api/index.ts';
import { up } from '../../src/app/index.ts';
import type { Running } from '../../src/app/index.ts';
import { contextOf, readKubeconfig } from '../../src/client/index.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';
import { connectTo } from '../../src/cli/connect.ts';
import type { Server } from '../../src/cli/connect.ts';
import { packageVersion, program } from '../../src/cli/commands/version.ts';
import { fetchRest, isSameRest } from '../../src/cli/world/rest.ts';
import type { Rest } from '../../src/cli/world/rest.ts';

let folder: string;
let system: Running;
let hub: Server;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-rest-'));
  const kubeconfig = path.join(folder, 'kubeconfig');
  system = await up({
    dataDir: ':memory:',
    listen: { host: '127.0.0.1', port: 0 },
    members: ['member1'],
    kubeconfig,
    gates: defaultGates,
    version: packageVersion(),
    logLevel: 'silent',
  });
  hub = await connectTo(contextOf(await readKubeconfig([kubeconfig])).connection, { timeout: '10s' });
}, 60_000);
afterAll(async () => {
  await hub.client.close();
  await system.stop();
  await rm(folder, { recursive: true, force: true });
});

const settled = (): Promise<Rest> =>
  until('the hub is at rest', async () => {
    const rest = await fetchRest(hub.client);
    return rest?.settled && rest;
  });

test('a hub says that its controllers have nothing left to do, and what was written says otherwise', async () => {
  await hub.client.create(policy('maps', { to: 'member1', select: [configMaps()] }));
  await hub.client.create(configMap('a'));
  const before = await settled();
  expect(before.by).toBe(program());
  expect(isSameRest(before, await fetchRest(hub.client))).toBe(true);
  await hub.client.create(configMap('b'));
  expect(isSameRest(before, await fetchRest(hub.client))).toBe(false);
  expect(isSameRest(before, await settled())).toBe(false);
});

test('a hub with pending retries is not settled', async () => {
  await system.members[0]?.setFaults({ refuse: [{ kind: 'ConfigMap', code: 422 }] });
  await hub.client.create(configMap('refused'));
  const ref = { apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' };
  await until('the member has refused it', async () => {
    const { items } = await hub.client.listAll(ref, { namespace: 'karmada-es-member1' });
    return JSON.stringify(items).includes('"status":"False","reason":"AppliedFailed"') || undefined;
  });
  for (let i = 0; i < 10; i++) expect((await fetchRest(hub.client))?.settled).toBe(false);
  await system.members[0]?.reset();
  await settled();
});

const rest: Rest = { by: program(), settled: true, revision: 7 };
test.each<readonly [string, Rest | undefined, Rest | undefined]>([
  ['it does not tell', undefined, undefined],
  ['it worked before', { ...rest, settled: false }, rest],
  ['it works now', rest, { ...rest, settled: false }],
  ['something was written', rest, { ...rest, revision: 8 }],
  ['it follows the rules of another version', { ...rest, by: 'sluice 0.0.1' }, { ...rest, by: 'sluice 0.0.1' }],
])('no rest: %s', (_, before, after) => expect(isSameRest(before, after)).toBe(false));
