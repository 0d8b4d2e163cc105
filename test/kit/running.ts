/**
 * The program itself as processes of their own: a hub with `sluice up`, agents with `sluice agent`. They can be killed and
 * started again. Start with `startProgram`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { ApiClient, contextOf, discover, HttpsTransport, readKubeconfig } from '../../src/client/index.ts';
import type { Discovered } from '../../src/client/index.ts';
import { until } from './until.ts';

/** A program that runs. */
export interface Program {
  /** Everything that it printed. */
  said(): string;
  /** Ends it: with a signal that it may answer, or at once. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Starts `sluice` with these arguments; resolves when it says that it is ready. */
export async function startProgram(args: readonly string[], ready = /is ready/): Promise<Program> {
  const environment = { ...process.env, KUBECONFIG: '/nonexistent' };
  const child = spawn(process.execPath, [path.resolve('bin/sluice.js'), ...args], { env: environment });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const exited = once(child, 'exit');
  const isOver = await until(`sluice ${args[0]} is ready`, async () => {
    if (ready.test(said)) return 'ready';
    return child.exitCode === null ? undefined : 'ended';
  }).catch((error: unknown) => error);
  if (isOver !== 'ready') {
    child.kill('SIGKILL');
    throw new Error(`sluice ${args[0]} is not ready, it says: ${said}`, { cause: isOver });
  }
  return {
    said: () => said,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      await exited;
    },
  };
}

/** A port of the loopback that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A client by a kubeconfig. */
export async function clientBy(kubeconfig: string, context?: string): Promise<ApiClient> {
  const { connection } = contextOf(await readKubeconfig([kubeconfig]), context);
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const client = new ApiClient({
    transport: new HttpsTransport(connection),
    resources: () => served,
    fieldManager: 'test',
  });
  served = await discover(client);
  return client;
}
