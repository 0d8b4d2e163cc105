import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { KubeconfigContext } from '../../apiserver/index.ts';
import { parseChange } from './faults/faults.ts';
import type { FaultChange, Faults } from './faults/faults.ts';
import type { HostFacts } from './host.ts';
import type { Message, Question, WorkerData } from './messages.ts';
import { usualNodes } from './pods/nodes.ts';
import type { NodesOptions } from './pods/nodes.ts';

/** How a simulated member is started. */
export interface SimulatedOptions {
  readonly name: string;
  /** Of this member alone; ':memory:' keeps nothing on disk. */
  readonly dataDir: string;
  readonly host?: string;
  /** 0 takes the one of the last start if it is free, else any. */
  readonly port?: number;
  /** How long containers take to start and to stop, and load balancers to come up. */
  readonly delayMilliseconds?: number;
  readonly nodes?: Partial<NodesOptions>;
  /** False: workloads become ready after the delay without a ReplicaSet or a pod, which costs one write each. */
  readonly pods?: boolean;
  /** Told of failures inside the member that nobody expected; it goes on. */
  readonly onTrouble?: (message: string) => void;
  /** Told when the thread of the member has died; nothing else of the process is touched. */
  readonly onCrash?: (error: Error) => void;
}

/** A member cluster without a cluster: an API server with the behaviour of controllers, in a thread of its own. */
export interface SimulatedMember {
  readonly name: string;
  readonly url: string;
  /** PEM of the authority that signs the member's certificate. */
  readonly caBundle: string;
  /** Of a service account that may do everything, for the hub; the same after a restart on the same data. */
  readonly token: string;
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
  const thread = new MemberThread(options);
  const { url, caBundle, token, context } = await thread.ready;
  return {
    name: options.name,
    url,
    caBundle,
    token,
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

type Asked = Question extends infer Q ? (Q extends Question ? Omit<Q, 'id'> : never) : never;

/** The thread of a member, as its parent holds it. */
class MemberThread {
  readonly ready: Promise<HostFacts>;
  readonly #options: SimulatedOptions;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #open = new Map<number, PromiseWithResolvers<Faults>>();
  readonly #start = Promise.withResolvers<HostFacts>();
  #asked = 0;
  #closing = false;
  #dead: Error | undefined;

  constructor(options: SimulatedOptions) {
    this.#options = options;
    this.ready = this.#start.promise;
    // The sources run as they are; compiled, a module has the same ending as this one.
    const ending = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
    const entry = new URL(`./worker${ending}`, import.meta.url);
    // The program's own flags are no business of the thread, and some forbid one.
    this.#worker = new Worker(entry, { workerData: workerDataOf(options), execArgv: [], name: options.name });
    this.#worker.on('message', (message: Message) => this.#hear(message));
    this.#worker.on('error', (error) => this.#die(error as Error));
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#die(new Error(`the thread of the simulated member ${options.name} has ended`));
        resolve();
      });
    });
  }

  ask(asked: Asked): Promise<Faults> {
    if (this.#dead) return Promise.reject(this.#dead);
    const id = ++this.#asked;
    const answer = Promise.withResolvers<Faults>();
    this.#open.set(id, answer);
    this.#send({ ...asked, id });
    return answer.promise;
  }

  #send(question: Question, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(question, transfer);
  }

  async close(): Promise<void> {
    if (!this.#closing && !this.#dead) {
      this.#closing = true;
      await this.ask({ ask: 'close' }).catch(() => {});
    }
    await this.#ended;
  }

  #hear(message: Message): void {
    switch (message.say) {
      case 'ready':
        return this.#start.resolve(message.facts);
      case 'failed':
        this.#closing = true;
        return this.#start.reject(new Error(message.message));
      case 'trouble':
        return this.#options.onTrouble?.(message.message);
      case 'answer':
        return this.#settle(message);
      default:
        message satisfies never;
    }
  }

  #settle({ id, faults, failure }: Extract<Message, { say: 'answer' }>): void {
    const answer = this.#open.get(id);
    this.#open.delete(id);
    if (faults) answer?.resolve(faults);
    else answer?.reject(new Error(failure));
  }

  #die(error: Error): void {
    if (this.#dead) return;
    this.#dead = error;
    this.#start.reject(error);
    for (const answer of this.#open.values()) answer.reject(error);
    this.#open.clear();
    if (!this.#closing) this.#options.onCrash?.(error);
  }
}
