import type { Dispatcher } from 'undici';
import { tooLarge, tooSlow } from './bounds.ts';
import type { Bounds, Gathered } from './bounds.ts';
import type { WireHeaders } from './transport.ts';

/** A whole answer. */
export interface Answered {
  readonly status: number;
  readonly headers: WireHeaders;
  readonly bytes: Buffer;
}

/** The limits of an exchange. */
export interface Limits {
  readonly bounds: Bounds;
  readonly gathered: Gathered;
  readonly signal: AbortSignal | undefined;
  /** Throws when the request must not be sent any more. */
  readonly onLeave?: (() => void) | undefined;
}

/**
 * Sends a request and gathers its answer, which is given up when it is too large or takes too long.
 * It stands below `request`, which makes a stream of every answer: for answers of a few kilobytes that is a third of the cost.
 */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: Limits,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    limits.signal?.throwIfAborted();
    dispatcher.dispatch(options, new Gathering({ resolve, reject, ...limits }));
  });
}

interface Waiting extends Limits {
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: unknown) => void;
}

class Gathering implements Dispatcher.DispatchHandler {
  readonly #waiting: Waiting;
  #chunks: Buffer[] = [];
  #size = 0;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: WireHeaders = {};

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
    waiting.signal?.addEventListener('abort', this.#abort, { once: true });
  }

  /** One that is aborted while it waits for a connection is ended as soon as it gets one. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#waiting.signal?.aborted) return this.#abort();
    try {
      this.#waiting.onLeave?.();
    } catch (error) {
      this.#giveUp(error as Error);
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: WireHeaders): void {
    this.#status = status;
    this.#headers = headers;
    const { bodyBytes, answerMilliseconds } = this.#waiting.bounds;
    if (Number(headers['content-length'] ?? 0) > bodyBytes) return this.#giveUp(tooLarge('the answer', bodyBytes));
    this.#timer = setTimeout(() => this.#giveUp(tooSlow(answerMilliseconds)), answerMilliseconds).unref();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    const { bounds, gathered } = this.#waiting;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    try {
      gathered.take(chunk.length);
      if (this.#size > bounds.bodyBytes) throw tooLarge('the answer', bounds.bodyBytes);
    } catch (error) {
      this.#giveUp(error as Error);
    }
  }

  onResponseEnd(): void {
    const [first, ...more] = this.#chunks;
    const bytes = more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#leave();
    this.#waiting.resolve({ status: this.#status, headers: this.#headers, bytes: bytes ?? Buffer.alloc(0) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#leave();
    this.#waiting.reject(error);
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#waiting.signal?.reason;
    this.#leave();
    this.#controller?.abort(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
    this.#waiting.reject(reason);
  };

  #giveUp(error: Error): void {
    this.#leave();
    this.#waiting.reject(error);
    this.#controller?.abort(error);
  }

  #leave(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#waiting.gathered.release(this.#size);
    this.#size = 0;
    this.#chunks = [];
    this.#waiting.signal?.removeEventListener('abort', this.#abort);
  }
}
