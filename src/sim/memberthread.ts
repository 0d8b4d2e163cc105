import type { Worker } from 'node:worker_threads';
import { startWorker } from '../observe/index.ts';
import type { Faults } from './faults/faults.ts';
import type { HostFacts } from './host.ts';
import type { Message, ThreadQuestion, WorkerData } from './messages.ts';

type QuestionBody = ThreadQuestion extends infer Q ? (Q extends ThreadQuestion ? Omit<Q, 'id'> : never) : never;

/** The options with which the thread of a member starts. */
export interface ThreadOptions {
  readonly name: string;
  readonly data: WorkerData;
  readonly onTrouble?: ((message: string) => void) | undefined;
  readonly onCrash?: ((error: Error) => void) | undefined;
  /** The module that the thread runs; a member unless told otherwise. */
  readonly entry?: URL;
}

/**
 * The parent's handle on the thread of a member: it sends requests and awaits answers. The death of the thread harms no
 * other member.
 */
export class MemberThread {
  readonly ready: Promise<HostFacts>;
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #open = new Map<number, PromiseWithResolvers<Faults>>();
  readonly #start = Promise.withResolvers<HostFacts>();
  #asked = 0;
  #closing = false;
  #dead: Error | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.ready = this.#start.promise;
    const { name, data, entry = new URL('./worker.ts', import.meta.url) } = options;
    this.#worker = startWorker(entry, { workerData: data, name });
    this.#worker.on('message', (message: Message) => this.#hear(message));
    this.#worker.on('error', (error) => this.#die(error as Error));
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#die(new Error(`the thread of the simulated member ${name} has ended`));
        resolve();
      });
    });
  }

  ask(asked: QuestionBody): Promise<Faults> {
    if (this.#dead) return Promise.reject(this.#dead);
    const id = ++this.#asked;
    const answer = Promise.withResolvers<Faults>();
    this.#open.set(id, answer);
    this.#send({ ...asked, id });
    return answer.promise;
  }

  #send(question: ThreadQuestion, transfer: readonly ArrayBuffer[] = []): void {
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
        return this.#fail(message.message);
      case 'trouble':
        return this.#options.onTrouble?.(message.message);
      case 'answer':
        return this.#settle(message);
      default:
        message satisfies never;
    }
  }

  /** A thread that could not start is of no use; whatever it still has open is closed with it. */
  #fail(message: string): void {
    this.#closing = true;
    this.#start.reject(new Error(message));
    void this.#worker.terminate();
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
