/**
 * Members that fail, and a hub that is stopped with SIGSTOP: the program itself with Failover on, and members of their own.
 * Every copy is counted: none is lost, and none is there twice after it has settled. What was not to move has kept its uid.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Binding, Cluster, ClusterTaintPolicy, KubeObject } from '../../src/api/index.ts';
import { register } from '../../src/app/index.ts';
import { ApiClient, contextOf, discover, HttpsTransport, readKubeconfig } from '../../src/client/index.ts';
import type { Discovered, Transport } from '../../src/client/index.ts';
import { bindingRefOf, conditionStatus } from '../../src/engine/index.ts';
import { startSimulated } from '../../src/sim/index.ts';
import type { SimulatedMember } from '../../src/sim/index.ts';
import { deployment, deployments, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

const program = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));
const names = ['member1', 'member2', 'member3', 'member4'];
/** A member may fail so long before its workloads leave it. */
const tolerationSeconds = 8;
/** Longer than a hub may be away without noticing, and than the toleration. */
const awayMilliseconds = 14_000;

const flags =
  'up --members 0 --listen 127.0.0.1:0 --feature-gates Failover=true --allow-no-execute-taint-policy ' +
  '--resource-eviction-rate 100 --cluster-status-update-frequency 1s ' +
  '--cluster-success-threshold 1s --cluster-failure-threshold 1s --data-dir';

const members = new Map<string, { readonly simulated: SimulatedMember; readonly client: ApiClient }>();
let folder: string;
let hub: ApiClient;
let child: ChildProcess;

async function connected(transport: Transport): Promise<ApiClient> {
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const client = new ApiClient({ transport, resources: () => served, fieldManager: 'kubectl' });
  served = await discover(client);
  return client;
}

async function startHub(): Promise<void> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const data = path.join(folder, 'hub');
  const started = spawn(process.execPath, [program, ...flags.split(' '), data], { stdio: [...stdio] });
  let said = '';
  started.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
  child = started;
  await until('the hub is ready', async () => said.includes('sluice is ready'));
  const { connection } = contextOf(await readKubeconfig([path.join(data, 'kubeconfig')]), 'sluice');
  hub = await connected(new HttpsTransport(connection, { timeoutMilliseconds: 5_000 }));
}

async function stopHub(): Promise<void> {
  await hub.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** A member that is not ready drives out what does not tolerate it for long. */
const gone: ClusterTaintPolicy = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'gone' },
  spec: {
    addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
    removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
    taints: [{ key: 'example.com/gone', effect: 'NoExecute' }],
  },
};

/** Six templates that run on one of two members. */
const groups = { first: ['member1', 'member3'], second: ['member2', 'member4'] } as const;
const templates = Object.keys(groups).flatMap((group) =>
  Array.from({ length: 6 }, (_, index) => deployment(`${group}-${index}`, { labels: { group } })),
);

function policyOf(group: keyof typeof groups): KubeObject {
  const placement = {
    spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }],
    clusterTolerations: [{ key: 'example.com/gone', operator: 'Exists', tolerationSeconds }],
  } as const;
  const select = [deployments({ labelSelector: { matchLabels: { group } } })];
  return policy(group, { to: [...groups[group]], placement, select });
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-outages-'));
  for (const name of names) {
    const dataDir = path.join(folder, name);
    const simulated = await startSimulated({ name, dataDir, delayMilliseconds: 0, pods: false });
    const { url: server, caBundle, token } = simulated;
    members.set(name, { simulated, client: await connected(new HttpsTransport({ server, caBundle, token })) });
  }
  await startHub();
  for (const { simulated } of members.values()) await register(hub, simulated);
  await untilFleet({});
  await hub.create(gone);
  for (const group of ['first', 'second'] as const) await hub.create(policyOf(group));
  for (const template of templates) await hub.create(template);
  await until('every template runs somewhere', async () => (await copies()).size === templates.length);
}, 120_000);

afterAll(async () => {
  child?.kill('SIGCONT');
  await stopHub();
  for (const { simulated, client } of members.values()) {
    await client.close();
    await simulated.close();
  }
  await rm(folder, { recursive: true, force: true });
});

afterEach(async () => {
  for (const name of names) await fails(name, false);
  await untilFleet({});
  await untilCounted();
});

async function fails(name: string, down: boolean): Promise<void> {
  await members.get(name)?.simulated.setFaults({ down });
}

/** The members that are not ready are these and no others. */
async function untilFleet(unready: Readonly<Record<string, true>>): Promise<void> {
  await until('the fleet is as it is to be', async () => {
    const { items } = await hub.listAll<Cluster>({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' });
    const found = items.map(({ metadata, status, spec }) => {
      const isReady = conditionStatus(status?.conditions, 'Ready') === 'True';
      const isTainted = spec.taints?.some(({ effect }) => effect === 'NoExecute') ?? false;
      return isReady !== metadata.name in unready && isTainted === metadata.name in unready;
    });
    return found.length === names.length && found.every(Boolean);
  });
}

/** `template` → the uids of its copies, `member uid`; only members that answer are asked. */
async function copies(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const [name, { simulated, client }] of members) {
    if ((await simulated.faults()).down) continue;
    const { items } = await client.listAll({ apiVersion: 'apps/v1', kind: 'Deployment' });
    for (const { metadata } of items) {
      const list = found.get(metadata.name) ?? [];
      found.set(metadata.name, [...list, `${name} ${metadata.uid}`]);
    }
  }
  return found;
}

/** Nothing is lost and nothing is there twice: one copy of each template, and no eviction under way. */
async function untilCounted(): Promise<void> {
  await until('every template has one copy', async () => {
    const all = [...(await copies()).values()];
    return all.length === templates.length && all.every((list) => list.length === 1) && (await evictions()) === 0;
  });
}

async function bindings(): Promise<readonly Binding[]> {
  return Promise.all(templates.map(async (template) => hub.get<Binding>(bindingRefOf(template))));
}

async function evictions(): Promise<number> {
  const tasks = (await bindings()).map(({ spec }) => spec.gracefulEvictionTasks?.length ?? 0);
  return tasks.reduce((sum, count) => sum + count, 0);
}

/** Where the templates are wanted, by member. */
async function wanted(): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { spec } of await bindings())
    for (const { name } of spec.clusters ?? []) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Lets time pass while nobody looks. */
async function passes(milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  await until('time has passed', async () => Date.now() > end);
}

/** The member on which the templates of a group run now. */
async function homeOf(group: keyof typeof groups): Promise<string> {
  const template = templates.find(({ metadata }) => metadata.labels?.['group'] === group);
  const binding = template && (await hub.get<Binding>(bindingRefOf(template)));
  return binding?.spec.clusters?.[0]?.name ?? '';
}

test('a member that is back inside its toleration keeps every copy', async () => {
  const before = await copies();
  const home = await homeOf('first');
  await fails(home, true);
  await untilFleet({ [home]: true });
  await fails(home, false);
  await untilFleet({});
  await passes(tolerationSeconds * 1_000);
  expect(await copies()).toEqual(before);
}, 90_000);

test('a member that is away for longer loses its workloads to the other one, and its copies when it is back', async () => {
  const home = await homeOf('first');
  const other = groups.first.find((name) => name !== home) ?? '';
  await fails(home, true);
  await until('the templates have moved', async () => (await wanted())[other] === 6);
  await until('they run there', async () => (await copies()).size === templates.length);
  await fails(home, false);
  await untilCounted();
  expect((await wanted())[other]).toBe(6);
}, 90_000);

test('a member that flaps keeps every copy', async () => {
  const before = await copies();
  const home = await homeOf('second');
  for (let round = 0; round < 4; round++) {
    await fails(home, true);
    await passes(2_500);
    await fails(home, false);
    await passes(4_000);
  }
  await untilFleet({});
  expect(await copies()).toEqual(before);
}, 90_000);

test('when half of the fleet fails, nothing is evicted, however long, and every copy is there afterwards', async () => {
  const before = await copies();
  const homes = [await homeOf('first'), await homeOf('second')];
  for (const home of homes) await fails(home, true);
  await untilFleet(Object.fromEntries(homes.map((home) => [home, true] as const)));
  await passes(tolerationSeconds * 2_000);
  expect([await evictions(), (await wanted())[homes[0] ?? ''], (await wanted())[homes[1] ?? '']]).toEqual([0, 6, 6]);
  const { items } = await hub.listAll<Cluster>({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' });
  const inOutage = items.filter(({ status }) => conditionStatus(status?.conditions, 'Outage') === 'True');
  expect(inOutage.map(({ metadata }) => metadata.name).sort()).toEqual(homes.toSorted());
  for (const home of homes) await fails(home, false);
  await untilFleet({});
  expect(await copies()).toEqual(before);
}, 120_000);

test('a hub that was stopped does not conclude that a member was away', async () => {
  const before = await copies();
  const home = await homeOf('first');
  await fails(home, true);
  await untilFleet({ [home]: true });
  child.kill('SIGSTOP');
  await fails(home, false);
  await passes(awayMilliseconds);
  child.kill('SIGCONT');
  await untilFleet({});
  await passes(3_000);
  expect(await copies()).toEqual(before);
}, 90_000);

test('a hub that is started anew does not conclude that a member was away', async () => {
  const before = await copies();
  const home = await homeOf('second');
  await fails(home, true);
  await untilFleet({ [home]: true });
  await stopHub();
  await fails(home, false);
  await passes(tolerationSeconds * 1_000);
  await startHub();
  await untilFleet({});
  await passes(3_000);
  expect(await copies()).toEqual(before);
}, 90_000);
