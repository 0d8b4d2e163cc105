import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { register } from '../../src/app/index.ts';
import type { Registration } from '../../src/app/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { contextOf, readKubeconfig } from '../../src/client/index.ts';
import { connected } from './system.ts';
import type { System } from './system.ts';
import { untilTrue } from './wait.ts';

const program = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));

/** `sluice up` in a process of its own. */
export interface UpProcess {
  readonly kubeconfig: string;
  readonly child: ChildProcess;
  /** Milliseconds from the start of the process to the line that says it is ready. */
  readonly ready: number;
  stop(): Promise<void>;
}

/** Starts `sluice up` on a data directory with so many members of its own; `BENCH_FLAGS` are flags of Node. */
export async function startUp(dataDir: string, members: number): Promise<UpProcess> {
  const flags = process.env['BENCH_FLAGS']?.split(' ') ?? [];
  const args = [...flags, program, 'up', '--data-dir', dataDir, '--listen', '127.0.0.1:0', '--members', `${members}`];
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await untilReady(child);
  return {
    kubeconfig: path.join(dataDir, 'kubeconfig'),
    child,
    ready: performance.now() - start,
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (/^sluice is ready/m.test(said)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`sluice up ended with ${code} before it was ready`)));
  });
}

interface MemberHost {
  readonly members: readonly Registration[];
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

async function startMembers(folder: string, names: readonly string[]): Promise<MemberHost> {
  const child = fork(fileURLToPath(new URL('memberhost.ts', import.meta.url)), [folder, ...names], { execArgv: [] });
  const failed = once(child, 'exit').then(() => {
    throw new Error('the members could not be started');
  });
  failed.catch(() => {});
  const [members] = (await Promise.race([once(child, 'message'), failed])) as [readonly Registration[]];
  return {
    members,
    child,
    async stop() {
      const exit = once(child, 'exit');
      child.send('stop');
      await exit;
    },
  };
}

/** Our own system: `sluice up`, and its members in a process apart. It can be stopped and started again. */
export interface OwnSystem extends System {
  /** May be replaced by the process of a second start. */
  up: UpProcess;
}

/** Starts everything. The members' data lies where `sluice up` would put that of its own members. */
export async function startOurs(dataDir: string, names: readonly string[]): Promise<OwnSystem> {
  const host = await startMembers(path.join(dataDir, 'members'), names);
  const up = await startUp(dataDir, 0);
  const config = await readKubeconfig([up.kubeconfig]);
  const hub = await connected(contextOf(config).connection);
  const members = new Map<string, ApiClient>();
  for (const { name, url, caBundle, token } of host.members) {
    await register(hub, { name, url, caBundle, token });
    members.set(name, await connected({ server: url, caBundle, token }));
  }
  await untilTrue('every member is ready', async () => (await readyMembers(hub)) === names.length);
  const system: OwnSystem = {
    up,
    hub,
    members,
    processes: new Map([
      ['hub', up.child.pid ?? 0],
      ['members', host.child.pid ?? 0],
    ]),
    async close() {
      await Promise.all([hub, ...members.values()].map((client) => client.close()));
      await system.up.stop();
      await host.stop();
    },
  };
  return system;
}

async function readyMembers(hub: ApiClient): Promise<number> {
  const { items } = await hub.listAll({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' });
  return items.filter((item) => {
    const { status } = item as { status?: { conditions?: readonly { type: string; status: string }[] } };
    return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  }).length;
}
