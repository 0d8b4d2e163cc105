/**
 * The program itself, killed with SIGKILL again and again, hub and members and all: while users write, while
 * controllers start, while they work. Every acknowledged write is there after the next start, and everything ends as
 * the policies say.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { KubeObject } from '../../src/api/index.ts';
import { refOf } from '../../src/api/index.ts';
import { ApiClient, contextOf, discover, HttpsTransport, readKubeconfig } from '../../src/client/index.ts';
import type { Discovered } from '../../src/client/index.ts';
import { appliedOver } from '../../src/engine/index.ts';
import { configMap, configMaps, policy } from '../kit/objects.ts';
import { retryingConflicts } from '../kit/retry-conflict.ts';
import { until } from '../kit/until.ts';

const kills = 50;
const count = 12;
const members = ['member1'];
const program = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));

interface ConfigMap extends KubeObject {
  readonly data?: { readonly value: string };
}

/** The program as it is started again and again on the same data, at the same address. */
class Program {
  readonly #folder: string;
  readonly #port: number;
  #child: ChildProcess | undefined;
  #said = '';
  #hub: ApiClient | undefined;

  constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  /** Starts it, and waits for nothing. */
  start(): void {
    const listen = `127.0.0.1:${this.#port}`;
    const flags = ['--data-dir', this.#folder, '--listen', listen, '--members', members.join(',')];
    const child = spawn(process.execPath, [program, 'up', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    this.#child = child;
  }

  async untilReady(): Promise<void> {
    await this.#until('is ready', async () => this.#said.includes('sluice is ready'));
  }

  /** Waits until the hub answers, which is long before the controllers work. */
  async untilListening(): Promise<ApiClient> {
    const hub = (this.#hub ??= await this.client('sluice'));
    await this.#until('listens', async () => (await hub.raw({ method: 'GET', path: '/livez' })).status === 200);
    return hub;
  }

  #until(what: string, ask: () => Promise<boolean>): Promise<true> {
    return until(`the program ${what}`, async () => {
      if (this.#child?.exitCode !== null) throw new Error(`the program has ended: ${this.#said}`);
      return (await ask()) && true;
    });
  }

  /** A client as the kubeconfig of the last start that became ready describes it. */
  async client(context: string): Promise<ApiClient> {
    const { connection } = contextOf(await readKubeconfig([path.join(this.#folder, 'kubeconfig')]), context);
    let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
    const transport = new HttpsTransport(connection, { timeoutMilliseconds: 5_000 });
    const retry = { attempts: 1, longestMilliseconds: 0 };
    const client = new ApiClient({ transport, resources: () => served, retry });
    served = await discover(client);
    return client;
  }

  /** Nobody has time for last words. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const exit = once(child, 'exit');
    if (child.kill('SIGKILL')) await exit;
  }

  async close(): Promise<void> {
    await this.kill();
    await this.#hub?.close();
  }
}

let folder: string | undefined;
let running: Program | undefined;

afterEach(async () => {
  await running?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function apply(hub: ApiClient, object: KubeObject): Promise<void> {
  return retryingConflicts(async () => {
    const present = await hub.find(refOf(object));
    await (present ? hub.update(appliedOver(object, present)) : hub.create(object));
  });
}

const nameOf = (index: number): string => `burst-${index}`;
const valueOf = ({ data }: ConfigMap): number => Number(data?.value);

async function valuesIn(client: ApiClient): Promise<ReadonlyMap<string, number>> {
  const { items } = await client.listAll<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'default' });
  return new Map(items.filter(({ data }) => data?.value).map((item) => [item.metadata.name, valueOf(item)]));
}

/** Writes part of a burst until the process is killed at some moment; returns which names were acknowledged. */
async function burst(hub: ApiClient, round: number): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  const plug = round % 5 === 0 ? 1 + (round % count) : Infinity;
  const one = async (index: number): Promise<void> => {
    try {
      await apply(hub, configMap(nameOf(index), { value: String(round) }));
    } catch {
      return;
    }
    acknowledged.push(nameOf(index));
    if (acknowledged.length === plug) await running?.kill();
  };
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)));
  return acknowledged;
}

test(`survives ${kills} kills: of users' writes, of starts, of controllers at work`, async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-kill-'));
  const system = new Program(folder, await freePort());
  running = system;
  system.start();
  const first = Date.now();
  await system.untilReady();
  const whole = Math.min(Date.now() - first, 1_500);
  const select = [configMaps({ labelSelector: { matchExpressions: [{ key: 'never', operator: 'DoesNotExist' }] } })];
  await apply(await system.untilListening(), policy('all', { to: members, select }));
  for (let round = 1; round <= kills; round++) {
    const acknowledged = await burst(await system.untilListening(), round);
    expect(acknowledged.length).toBeGreaterThan(0);
    // The controllers are somewhere between their first look and their last write.
    await pause(((round * 7) % 11) * (whole / 20));
    await system.kill();
    system.start();
    const found = await valuesIn(await system.untilListening());
    for (const name of acknowledged) expect([name, found.get(name)]).toEqual([name, round]);
  }

  await system.untilReady();
  const hub = await system.untilListening();
  const wanted = await valuesIn(hub);
  expect(wanted.size).toBe(count);
  for (const name of members) {
    const client = await system.client(name);
    await until(`${name} has what the hub has`, async () => {
      expect(await valuesIn(client)).toEqual(wanted);
      return true;
    });
    await client.close();
  }
  const works = await hub.listAll({ apiVersion: 'work.karmada.io/v1alpha1', kind: 'Work' });
  const own = works.items.filter(({ metadata }) => metadata.name.startsWith('burst-'));
  expect(own).toHaveLength(wanted.size * members.length);
  const bindings = await hub.listAll({ apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding' });
  expect(bindings.items.filter(({ metadata }) => metadata.name.startsWith('burst-'))).toHaveLength(wanted.size);
}, 600_000);
