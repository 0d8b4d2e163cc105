/**
 * The program itself, killed with SIGKILL in the middle of bursts of applies, hub and members and all: what was
 * acknowledged is there after the next start, and everything ends where it was told to be.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { ApiClient, contextOf, discover, HttpsTransport, readKubeconfig } from '../../src/client/index.ts';
import type { Discovered } from '../../src/client/index.ts';
import { appliedOver } from '../../src/engine/index.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { until } from '../kit/until.ts';

const kills = 10;
const count = 24;
const members = ['member1', 'member2'];
const program = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));

interface ConfigMap extends KubeObject {
  readonly data?: { readonly value: string };
}

/** A run of the program. */
interface Run {
  readonly child: ChildProcess;
  readonly hub: ApiClient;
  readonly members: ReadonlyMap<string, ApiClient>;
}

let folder: string | undefined;
let run: Run | undefined;

afterEach(async () => {
  await killed();
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function started(dataDir: string): Promise<Run> {
  const kubeconfig = path.join(dataDir, 'kubeconfig');
  const child = spawn(
    process.execPath,
    [program, 'up', '--data-dir', dataDir, '--listen', '127.0.0.1:0', '--members', members.join(',')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await until('the program is ready', async () => {
    if (child.exitCode !== null) throw new Error(`the program has ended: ${said}`);
    return said.includes('sluice is ready');
  });
  const clients = new Map<string, ApiClient>();
  for (const name of members) clients.set(name, await clientOf(kubeconfig, name));
  return { child, hub: await clientOf(kubeconfig, 'sluice'), members: clients };
}

async function clientOf(kubeconfig: string, context: string): Promise<ApiClient> {
  const { connection } = contextOf(await readKubeconfig([kubeconfig]), context);
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const client = new ApiClient({
    transport: new HttpsTransport(connection, { timeoutMilliseconds: 5_000 }),
    resources: () => served,
    retry: { attempts: 1, longestMilliseconds: 0 },
  });
  served = await discover(client);
  return client;
}

/** Nobody has time for last words. */
async function killed(): Promise<void> {
  const last = run;
  run = undefined;
  if (!last) return;
  const exit = once(last.child, 'exit');
  if (last.child.kill('SIGKILL')) await exit;
  await Promise.all([last.hub, ...last.members.values()].map((client) => client.close()));
}

async function apply({ hub }: Run, object: KubeObject): Promise<void> {
  const present = await hub.find(refOf(object));
  if (present) await hub.update(appliedOver(object, present));
  else await hub.create(object);
}

const nameOf = (index: number): string => `burst-${index}`;
const valueOf = ({ data }: ConfigMap): number => Number(data?.value);

async function valuesIn(client: ApiClient): Promise<ReadonlyMap<string, number>> {
  const { items } = await client.listAll<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'default' });
  return new Map(items.filter(({ data }) => data?.value).map((item) => [item.metadata.name, valueOf(item)]));
}

/** Applies a burst, and pulls the plug in the middle of it; tells which names were acknowledged. */
async function burst(on: Run, round: number): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  const plug = 1 + ((round * 7) % (count - 1));
  const one = async (index: number): Promise<void> => {
    try {
      await apply(on, configMap(nameOf(index), { value: String(round) }));
    } catch {
      return;
    }
    acknowledged.push(nameOf(index));
    if (acknowledged.length === plug) on.child.kill('SIGKILL');
  };
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)));
  return acknowledged;
}

test(`survives ${kills} kills in the middle of a burst`, async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-kill-'));
  run = await started(folder);
  const select = [configMaps({ labelSelector: { matchExpressions: [{ key: 'never', operator: 'DoesNotExist' }] } })];
  await apply(run, policy('all', { to: members, select }));
  for (let round = 1; round <= kills; round++) {
    const acknowledged = await burst(run, round);
    expect(acknowledged.length).toBeGreaterThan(0);
    await killed();
    run = await started(folder);
    const found = await valuesIn(run.hub);
    for (const name of acknowledged) expect([name, found.get(name)]).toEqual([name, round]);
  }

  const { hub, members: clients } = run;
  const wanted = await valuesIn(hub);
  expect(wanted.size).toBeGreaterThan(count / 2);
  for (const [name, client] of clients) {
    await until(`${name} has what the hub has`, async () => {
      expect(await valuesIn(client)).toEqual(wanted);
      return true;
    });
  }
  const works = await hub.listAll({ apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' });
  const own = works.items.filter(({ metadata }) => metadata.name.startsWith('burst-'));
  expect(own).toHaveLength(wanted.size * members.length);
});
