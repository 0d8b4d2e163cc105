import { Readable } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { Agent, Dispatcher, ProxyAgent } from 'undici';
import { unreachableOf } from './errors.ts';
import { agentOf } from './https.ts';
import type { Connection } from './https.ts';
import type { WireHeaders } from './transport.ts';

/** A request that is passed on as it is. */
export interface ForwardRequest {
  readonly method: string;
  /** Encoded, with its query. */
  readonly path: string;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly body?: Buffer;
  /** The protocol to switch to. */
  readonly upgrade?: string;
}

/** The answer of a server: a body of any length, or a connection that has switched protocols. */
export interface Forwarded {
  readonly status: number;
  readonly headers: WireHeaders;
  readonly body?: Readable;
  readonly socket?: Duplex;
}

const connectMilliseconds = 10_000;
/** As long as kube-apiserver gives a request that does not go on. */
const headersMilliseconds = 60_000;

/**
 * Passes requests on to one server, byte by byte. Guarantees: it follows no redirect, keeps no answer in memory (a slow
 * reader slows the server down) and puts no credentials of its own into a request.
 */
export class Forwarder {
  readonly #agent: Agent | ProxyAgent;
  readonly #origin: string;
  readonly #prefix: string;

  constructor(connection: Omit<Connection, 'token'>) {
    const url = new URL(connection.server);
    this.#agent = agentOf(connection, connectMilliseconds);
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, '');
  }

  /** Resolves when the head of the answer is there; throws Unreachable when nothing came back. */
  forward({ method, path, headers, body, upgrade }: ForwardRequest): Promise<Forwarded> {
    const options = {
      origin: this.#origin,
      path: this.#prefix + path,
      method,
      headers: [...headers],
      body: body ?? null,
      upgrade: upgrade ?? null,
      headersTimeout: headersMilliseconds,
      bodyTimeout: 0,
    };
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(unreachableOf(error, this.#origin));
      this.#agent.dispatch(options, new Passing(resolve, fail));
    });
  }

  /** Ends what is under way, too. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Turns the calls of the dispatcher into one answer with a body that can be slowed down. */
class Passing implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Forwarded) => void;
  readonly #fail: (error: Error) => void;
  #body: Readable | undefined;

  constructor(resolve: (answer: Forwarded) => void, fail: (error: Error) => void) {
    this.#resolve = resolve;
    this.#fail = fail;
  }

  /** The dispatcher demands it; there is nothing to do before an answer comes. */
  onRequestStart(): void {}

  onRequestUpgrade(...[, status, headers, socket]: [Dispatcher.DispatchController, number, WireHeaders, Duplex]): void {
    this.#resolve({ status, headers, socket });
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: WireHeaders): void {
    // Something like 103 comes before the answer.
    if (status < 200) return;
    this.#body = new Readable({
      read: () => controller.resume(),
      destroy: (error, callback) => {
        controller.abort(error ?? new Error('the reader has left'));
        callback(error);
      },
    });
    this.#resolve({ status, headers, body: this.#body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#body?.push(null);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#body) this.#body.destroy(error);
    else this.#fail(error);
  }
}
