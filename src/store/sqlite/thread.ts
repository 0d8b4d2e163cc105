import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../observe/index.ts';

/** A worker thread that answers one question at a time, with undefined or what went wrong; its first answer is unasked. */
export class Thread {
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  #dead: Error | undefined;
  #waiting: PromiseWithResolvers<void> | undefined;

  constructor(module: URL, data: object) {
    this.#worker = startWorker(module, { workerData: data });
    this.#worker.on('message', (failure?: string) =>
      this.#settle(failure === undefined ? undefined : new Error(failure)),
    );
    this.#worker.on('error', (error) => this.#die(error as Error));
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#die(new Error(`the thread of ${module.pathname} has ended`));
        resolve();
      });
    });
  }

  /** Says whether the thread has ended: nobody answers any more. */
  get isDead(): boolean {
    return this.#dead !== undefined;
  }

  /** Resolves with the answer to the question just asked, or with the first answer. */
  answer(): Promise<void> {
    if (this.#dead) return Promise.reject(this.#dead);
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** Asks; what is in `transfer` changes hands. */
  ask(question: object, transfer: readonly ArrayBuffer[] = []): Promise<void> {
    const answer = this.answer();
    if (!this.#dead) this.#worker.postMessage(question, transfer);
    return answer;
  }

  /** Resolves when the thread is gone, with everything that it had open. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
    await this.#exited;
  }

  #die(error: Error): void {
    this.#dead ??= error;
    this.#settle(error);
  }

  #settle(failure: Error | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (failure) waiting?.reject(failure);
    else waiting?.resolve();
  }
}
