import { createSecureContext } from 'node:tls';
import type { SecureContext, SecureContextOptions } from 'node:tls';
import { Agent, ProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';
import { unreachableOf } from './errors.ts';
import { exchange } from './exchange.ts';
import { Slots } from './slots.ts';
import { headerOf } from './transport.ts';
import type { Transport, WireRequest, WireResponse, WireStream } from './transport.ts';

/** Where a server is and how we prove who we are. */
export interface Connection {
  /** `https://host:6443`, with a path before all others if need be. */
  readonly server: string;
  /** PEM of whom to trust; the system's authorities when absent. */
  readonly caBundle?: string;
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** A bearer token; a function is asked before every request, so that tokens may change. */
  readonly token?: string | (() => string | Promise<string>);
  /** Trusts whoever answers. Only when the user has said so. */
  readonly insecureSkipTLSVerification?: boolean;
  /** The name in the server's certificate, where it is not that of the URL. */
  readonly serverName?: string;
  readonly proxy?: { readonly url: string; readonly headers?: Readonly<Record<string, string>> };
}

export interface HttpsOptions {
  /** How many requests may be under way at once, watches not counted. */
  readonly concurrency?: number;
  /** How long a server may take to answer, or to go on answering. */
  readonly timeoutMilliseconds?: number;
  readonly connectMilliseconds?: number;
  readonly userAgent?: string;
}

const defaults = { concurrency: 64, timeoutMilliseconds: 30_000, connectMilliseconds: 10_000, userAgent: 'sluice' };

/** HTTP/1.1 over TLS with connections that are kept, one pool a server. */
export class HttpsTransport implements Transport {
  readonly #options: Required<HttpsOptions>;
  readonly #slots: Slots;
  #line: Line;
  /** Lines whose requests may still be under way. */
  readonly #lines = new Set<Line>();

  constructor(connection: Connection, options: HttpsOptions = {}) {
    this.#options = { ...defaults, ...options };
    this.#slots = new Slots(this.#options.concurrency);
    this.#line = this.#open(connection);
  }

  /** Uses other credentials, or another address, from the next request on; what is under way is finished as it began. */
  rotate(connection: Connection): void {
    const old = this.#line;
    this.#line = this.#open(connection);
    void old.agent.close().then(
      () => this.#lines.delete(old),
      () => this.#lines.delete(old),
    );
  }

  send(request: WireRequest): Promise<WireResponse> {
    return this.#slots.run(async () => {
      const { agent, options } = await this.#dispatch(request, this.#options.timeoutMilliseconds);
      const { status, headers, text } = await this.#guarded(request, () => exchange(agent, options, request.signal));
      request.onText?.(text);
      return { status, headers, body: parsed(text, headerOf(headers, 'content-type')) };
    });
  }

  async stream(request: WireRequest): Promise<WireStream> {
    const { agent, options } = await this.#dispatch(request, 0);
    const { signal = null } = request;
    const opened = await this.#guarded(request, () => agent.request({ ...options, signal }));
    const { statusCode: status, headers, body } = opened;
    if (status === 200) return { status, headers, chunks: this.#chunks(request, body) };
    const text = await this.#guarded(request, () => body.text());
    return { status, headers, body: parsed(text, headerOf(headers, 'content-type')) };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lines].map(({ agent }) => agent.destroy()));
    this.#lines.clear();
  }

  async *#chunks(request: WireRequest, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* body;
    } catch (error) {
      throw this.#failed(request, error);
    }
  }

  async #dispatch(request: WireRequest, bodyTimeout: number): Promise<Dispatching> {
    const line = this.#line;
    const { token } = line.connection;
    const bearer = typeof token === 'function' ? await token() : token;
    const { method, query, body } = request;
    const options = {
      origin: line.origin,
      path: line.prefix + request.path + (query && `?${query}`),
      method,
      headers: {
        ...request.headers,
        'user-agent': this.#options.userAgent,
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: this.#options.timeoutMilliseconds,
      bodyTimeout,
    };
    return { agent: line.agent, options };
  }

  async #guarded<T>(request: WireRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#failed(request, error);
    }
  }

  #failed({ signal }: WireRequest, error: unknown): unknown {
    return signal?.aborted ? signal.reason : unreachableOf(error, this.#line.origin);
  }

  #open(connection: Connection): Line {
    const url = new URL(connection.server);
    const agent = agentOf(connection, this.#options.connectMilliseconds);
    const line = { connection, agent, origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
    this.#lines.add(line);
    return line;
  }
}

/** A request, and the pool that it goes to. */
interface Dispatching {
  readonly agent: Agent | ProxyAgent;
  readonly options: Dispatcher.DispatchOptions & { readonly origin: string };
}

interface Line {
  readonly connection: Connection;
  readonly agent: Agent | ProxyAgent;
  readonly origin: string;
  readonly prefix: string;
}

function agentOf(connection: Connection, timeout: number): Agent | ProxyAgent {
  const { caBundle, certificate, serverName, insecureSkipTLSVerification, proxy } = connection;
  const tls = {
    timeout,
    rejectUnauthorized: insecureSkipTLSVerification !== true,
    ...secrets({
      ...(caBundle !== undefined && { ca: caBundle }),
      ...(certificate && { cert: certificate.certificate, key: certificate.key }),
    }),
    ...(serverName && { servername: serverName }),
  };
  // HTTP/2 puts all requests and watches of a server on one connection, where one slow watch holds up the others.
  // An idle connection is left well before the server says that it will: what is written to one that just closes is lost.
  const pool = { allowH2: false, pipelining: 1, keepAliveTimeout: 60_000, keepAliveTimeoutThreshold: 10_000 };
  if (!proxy) return new Agent({ ...pool, connect: tls });
  return new ProxyAgent({ ...pool, uri: proxy.url, requestTls: tls, ...(proxy.headers && { headers: proxy.headers }) });
}

/**
 * Certificates read once for all connections: each would read them again, which is half of what it costs. Those that
 * cannot be read are left to the connection, which says what is wrong with them.
 */
function secrets(given: SecureContextOptions): SecureContextOptions | { readonly secureContext: SecureContext } {
  try {
    return { secureContext: createSecureContext(given) };
  } catch {
    return given;
  }
}

function parsed(text: string, type: string | undefined): unknown {
  if (text === '') return undefined;
  if (!type?.includes('json')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
