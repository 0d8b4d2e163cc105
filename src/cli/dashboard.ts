import { getCompileCacheDir } from 'node:module';
import { isSea } from 'node:sea';
import type { Address } from '../app/index.ts';
import { startWorker } from '../observe/index.ts';
import { Failure } from './failure.ts';

/** How a dashboard is started. */
export interface DashboardStart {
  readonly listen: Address;
  /** The kubeconfigs of the hub; the first that has something counts. */
  readonly kubeconfig: readonly string[];
  readonly context?: string;
  /** Called with a line that the person who started it should read. */
  readonly note: (line: string) => void;
}

/** A dashboard that runs in a thread of its own. */
export interface RunningDashboard {
  readonly url: string;
  /** Logs in once. */
  readonly link: string | undefined;
  stop(): Promise<void>;
}

type Message =
  | { readonly say: 'ready'; readonly url: string; readonly link: string | undefined }
  | { readonly say: 'note' | 'fault'; readonly message: string }
  | { readonly say: 'failed'; readonly message: string; readonly code: string };

/** Returns whether the page is part of this installation. A single executable file has none. */
export const hasDashboard = (): boolean => !isSea();

/** An address that another program has. */
export class AddressTaken extends Failure {}

/**
 * Starts the dashboard in a thread: its plans take the processor for tenths of a second, in which a hub in the same process has
 * to go on answering. It reaches the hub by the network, as everybody does.
 */
export async function startDashboard({ listen, kubeconfig, context, note }: DashboardStart): Promise<RunningDashboard> {
  if (!hasDashboard()) throw new Failure('the executable file has no dashboard: install the npm package');
  const data = { listen, kubeconfig, ...(context !== undefined && { context }), compileCache: getCompileCacheDir() };
  const entry = new URL('../dashboard/server/worker.ts', import.meta.url);
  const worker = startWorker(entry, { workerData: data, name: 'dashboard' });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    worker.postMessage('stop', []);
    await ended;
  };
  return new Promise((resolve, reject) => {
    worker.on('message', (message: Message) => {
      if (message.say === 'ready') resolve({ url: message.url, link: message.link, stop });
      else if (message.say === 'failed') reject(failureOf(message, listen));
      else note(`dashboard: ${message.message}`);
    });
    worker.on('error', (error) => {
      note(`the dashboard has ended: ${(error as Error).message}`);
      reject(error);
    });
  });
}

function failureOf({ message, code }: Extract<Message, { say: 'failed' }>, { host, port }: Address): Failure {
  if (code === 'EADDRINUSE')
    return new AddressTaken(
      `the dashboard cannot listen on ${host}:${port}: it is taken; choose another address, or port 0 for a free one`,
    );
  return new Failure(`the dashboard cannot start: ${message}`);
}
