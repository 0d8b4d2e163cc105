import { createSecureContext } from 'node:tls';
import type { SecureContext, SecureContextOptions } from 'node:tls';
import { Agent, ProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';
import { Gathered, requireShallow, tooLarge, usualBounds } from './bounds.ts';
import type { Bounds } from './bounds.ts';
import { Unreachable, unreachableOf } from './errors.ts';
import { exchange } from './exchange.ts';
import { Slots } from './slots.ts';
import { headerOf } from './transport.ts';
import type { Transport, WireHeaders, WireRequest, WireResponse, WireStream } from './transport.ts';

/** Where a server is and how we prove who we are. */
export interface Connection {
  /** `https://host:6443`, with a path before all others if need be. */
  readonly server: string;
  /** PEM of whom to trust; the system's authorities when absent. */
  readonly caBundle?: string;
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** A bearer token; a function is asked before every request, so that tokens may change. */
  readonly token?: string | (() => string | Promise<string>);
  /** Sends the token also where there is no TLS. Only when the user has said so. */
  readonly allowPlainToken?: boolean;
  /** Trusts every server. Only when the user has said so. */
  readonly insecureSkipTLSVerification?: boolean;
  /** The name in the server's certificate, where it is not that of the URL. */
  readonly serverName?: string;
  readonly proxy?: { readonly url: string; readonly headers?: Readonly<Record<string, string>> };
}

/** The options of a connection over HTTPS. */
export interface HttpsOptions {
  /** How many requests may be under way at once, watches not counted. */
  readonly concurrency?: number;
  /** How long a server may take to answer, or to go on answering. */
  readonly timeoutMilliseconds?: number;
  readonly connectMilliseconds?: number;
  readonly userAgent?: string;
  /** Bounds of the answers of the server. */
  readonly bounds?: Bounds;
}

const defaults = {
  concurrency: 64,
  timeoutMilliseconds: 30_000,
  connectMilliseconds: 10_000,
  userAgent: 'sluice',
  bounds: usualBounds,
};

/** HTTP/1.1 over TLS with connections that are kept, one pool a server. */
export class HttpsTransport implements Transport {
  readonly #options: Required<HttpsOptions>;
  readonly #slots: Slots;
  readonly #gathered: Gathered;
  #line: ConnectionPool;
  /** Lines whose requests may still be under way. */
  readonly #lines = new Set<ConnectionPool>();

  constructor(connection: Connection, options: HttpsOptions = {}) {
    this.#options = { ...defaults, ...options };
    this.#slots = new Slots(this.#options.concurrency);
    this.#gathered = new Gathered(this.#options.bounds.bytesAtOnce);
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
      const { signal, onLeave } = request;
      const limits = { bounds: this.#options.bounds, gathered: this.#gathered, signal, onLeave };
      const { status, headers, bytes } = await this.#guarded(request, () => exchange(agent, options, limits));
      request.onBytes?.(bytes.length);
      const text = bytes.toString('utf8');
      request.onText?.(text);
      return { status, headers, body: parsed(bytes, text, headers) };
    });
  }

  async stream(request: WireRequest): Promise<WireStream> {
    const { agent, options } = await this.#dispatch(request, 0);
    const { signal = null } = request;
    const opened = await this.#guarded(request, () => agent.request({ ...options, signal }));
    const { statusCode: status, headers, body } = opened;
    if (status === 200) return { status, headers, chunks: this.#chunks(request, body) };
    const bytes = await this.#guarded(request, () => gathered(body, this.#options.bounds.bodyBytes));
    return { status, headers, body: parsed(bytes, bytes.toString('utf8'), headers) };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lines].map(({ agent }) => agent.destroy()));
    this.#lines.clear();
  }

  async *#chunks(request: WireRequest, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { lineBytes } = this.#options.bounds;
    try {
      // Bytes since the last end of a line: one that does not end is given up.
      let line = 0;
      for await (const chunk of body) {
        const end = chunk.lastIndexOf(0x0a);
        line = end < 0 ? line + chunk.length : chunk.length - end - 1;
        if (line > lineBytes) throw tooLarge('an event of the watch', lineBytes);
        request.onBytes?.(chunk.length);
        yield chunk;
      }
    } catch (error) {
      throw this.#failed(request, error);
    }
  }

  async #dispatch(request: WireRequest, bodyTimeout: number): Promise<Dispatching> {
    const line = this.#line;
    const { token } = line.connection;
    const bearer = typeof token === 'function' ? await token() : token;
    if (bearer && line.origin.startsWith('http:') && !line.connection.allowPlainToken) throw plainToken(line.origin);
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

  #open(connection: Connection): ConnectionPool {
    const url = new URL(connection.server);
    const agent = agentOf(connection, this.#options.connectMilliseconds);
    const line = { connection, agent, origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
    this.#lines.add(line);
    return line;
  }
}

function plainToken(server: string): Unreachable {
  const message = `${server} is not asked: without TLS anybody could read the token; use https://`;
  return new Unreachable('untrusted', message, { sent: false });
}

/** A request, and the pool that it goes to. */
interface Dispatching {
  readonly agent: Agent | ProxyAgent;
  readonly options: Dispatcher.DispatchOptions & { readonly origin: string };
}

interface ConnectionPool {
  readonly connection: Connection;
  readonly agent: Agent | ProxyAgent;
  readonly origin: string;
  readonly prefix: string;
}

/** The pool of connections to a server. */
export function agentOf(connection: Connection, timeout: number): Agent | ProxyAgent {
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
  // HTTP/2 puts all requests and watches of a server on one connection, where one slow watch delays the others.
  // An idle connection is left well before the server says that it will: what is written to one that just closes is lost.
  const pool = { allowH2: false, pipelining: 1, keepAliveTimeout: 60_000, keepAliveTimeoutThreshold: 10_000 };
  if (!proxy) return new Agent({ ...pool, connect: tls });
  return new ProxyAgent({ ...pool, uri: proxy.url, requestTls: tls, ...(proxy.headers && { headers: proxy.headers }) });
}

/**
 * Certificates read once for all connections: each would read them again, which is half of its cost. Unreadable
 * certificates are left to the connection, which says what is wrong with them.
 */
function secrets(given: SecureContextOptions): SecureContextOptions | { readonly secureContext: SecureContext } {
  try {
    return { secureContext: createSecureContext(given) };
  } catch {
    return given;
  }
}

/** The body of a failure, which is short. */
async function gathered(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw tooLarge('the answer', most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The JSON value of an answer, or its text when it is not JSON. */
function parsed(bytes: Buffer, text: string, headers: WireHeaders): unknown {
  if (text === '') return undefined;
  if (!headerOf(headers, 'content-type')?.includes('json')) return text;
  requireShallow(bytes);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
