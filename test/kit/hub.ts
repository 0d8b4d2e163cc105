/**
 * A hub in a process of its own, on disk and behind TLS, as users have it: what is tried on it can block, crash and
 * leak as in real life, and none of it shares anything with the test.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A hub that is ready. */
export interface RunningHub {
  readonly url: string;
  readonly pid: number;
  /** The administrator's. */
  readonly kubeconfig: string;
  /** A folder for whatever belongs to this hub; it goes with it. */
  readonly folder: string;
  /** The failures that the hub did not expect; empty as long as all is well. */
  faults(): string;
  stop(): Promise<void>;
}

/** Starts a hub with the product's kinds. */
export async function startHub(): Promise<RunningHub> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-'));
  const child = fork(new URL('./hub-child.ts', import.meta.url), [folder], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  let faults = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    faults += text;
  });
  const exited = once(child, 'exit');
  const ready = once(child, 'message') as Promise<[{ readonly url: string }]>;
  const [first] = await Promise.race([ready, exited]);
  if (typeof first !== 'object' || first === null) throw new Error(`the hub did not start: ${faults}`);
  return {
    url: first.url,
    pid: child.pid ?? 0,
    kubeconfig: join(folder, 'kubeconfig'),
    folder,
    faults: () => faults,
    async stop() {
      child.disconnect();
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}
