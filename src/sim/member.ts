import { getCompileCacheDir } from 'node:module';
import type { KubeconfigContext } from '../auth/index.ts';
import { parseChange } from './faults/faults.ts';
import type { FaultChange, Faults } from './faults/faults.ts';
import { MemberThread } from './memberthread.ts';
import type { WorkerData } from './messages.ts';
import { usualNodes } from './pods/nodes.ts';
import type { NodesOptions } from './pods/nodes.ts';

/** How a simulated member is started. */
export interface SimulatedOptions {
  readonly name: string;
  /** The folder of this member alone; ':memory:' keeps nothing on disk. */
  readonly dataDir: string;
  readonly host?: string;
  /** 0 takes the one of the last start if it is free, else any. */
  readonly port?: number;
  /** How long containers take to start and to stop, and load balancers to come up. */
  readonly delayMilliseconds?: number;
  readonly nodes?: Partial<NodesOptions>;
  /** False: workloads become ready after the delay without a ReplicaSet or a pod, which costs one write each. */
  readonly pods?: boolean;
  /** Called with unexpected failures inside the member, which continues. */
  readonly onTrouble?: (message: string) => void;
  /** Called when the thread of the member has died; nothing else of the process is touched. */
  readonly onCrash?: (error: Error) => void;
}

/** A member cluster without a cluster: an API server with the behaviour of controllers, in a thread of its own. */
export interface SimulatedMember {
  readonly name: string;
  readonly url: string;
  /** PEM of the authority that signs the member's certificate. */
  readonly caBundle: string;
  /** The token of a service account with all rights, for the hub; the same after a restart on the same data. */
  readonly token: string;
  /** The token of a service account that may impersonate users and nothing else. */
  readonly impersonatorToken: string;
  /** The context of its administrator, which also opens the control path of the faults. */
  context(): KubeconfigContext;
  /** Changes the faults that are mentioned and leaves the others; resolves to all of them once they are in effect. */
  setFaults(change: FaultChange): Promise<Faults>;
  /** Heals everything. */
  reset(): Promise<Faults>;
  faults(): Promise<Faults>;
  close(): Promise<void>;
}

/** Starts a simulated member; resolves when its API answers. */
export async function startSimulated(options: SimulatedOptions): Promise<SimulatedMember> {
  const { name, onTrouble, onCrash } = options;
  const thread = new MemberThread({ name, data: workerDataOf(options), onTrouble, onCrash });
  const { url, caBundle, token, impersonatorToken, context } = await thread.ready;
  return {
    name: options.name,
    url,
    caBundle,
    token,
    impersonatorToken,
    context: () => context,
    setFaults: async (change) => thread.ask({ ask: 'change', change: parseChange(change) }),
    reset: () => thread.ask({ ask: 'reset' }),
    faults: () => thread.ask({ ask: 'faults' }),
    close: () => thread.close(),
  };
}

const usual = { host: '127.0.0.1', port: 0, delayMilliseconds: 500, pods: true };

function workerDataOf(options: SimulatedOptions): WorkerData {
  const { name, dataDir, nodes, onTrouble: _, onCrash: __, ...given } = options;
  const whole = { ...usual, ...given, name, dataDir, nodes: { ...usualNodes, ...nodes } };
  return { options: whole, compileCache: getCompileCacheDir() };
}
