/**
 * A real hub, in process or behind TLS, and ways to break what lies between it and its client.
 * Nothing here pretends to be a server: faults are laid over a transport to the real one.
 * Start with `openHub` and `Faults`.
 */
import { randomUUID } from 'node:crypto';
import { builtinCatalog } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/index.ts';
import { createHub, listen } from '../../src/apiserver/index.ts';
import type { HubOptions, Listener } from '../../src/apiserver/index.ts';
import { openAuthority } from '../../src/auth/index.ts';
import type { Authority } from '../../src/auth/index.ts';
import { ApiClient, HttpsTransport, inProcess } from '../../src/client/index.ts';
import type {
  ClientOptions,
  Connection,
  Transport,
  WireRequest,
  WireResponse,
  WireStream,
} from '../../src/client/index.ts';
import { memoryStore } from '../../src/store/index.ts';
import type { Store } from '../../src/store/index.ts';

export const administrator = { name: 'tester', groups: ['system:masters', 'system:authenticated'] };

export interface OpenHub {
  readonly store: Store;
  readonly transport: Transport;
  /** A client with the administrator's rights, over this transport or another. */
  client(transport?: Transport, more?: Partial<ClientOptions>): ApiClient;
  close(): Promise<void>;
}

export interface SecureHub extends OpenHub {
  readonly authority: Authority;
  readonly listener: Listener;
  readonly connection: Connection;
}

function clientOf(transport: Transport, more: Partial<ClientOptions> = {}): ApiClient {
  return new ApiClient({ transport, resources: builtinCatalog, fieldManager: 'test', ...more });
}

/** The hub as a function. */
export async function openHub(options: Partial<HubOptions> = {}): Promise<OpenHub> {
  const store = memoryStore();
  const hub = await createHub({ store, ...options });
  const transport = inProcess((request) => hub.handle(request), administrator);
  return {
    store,
    transport,
    client: (over = transport, more = {}) => clientOf(over, more),
    async close() {
      await transport.close();
      await hub.close();
      await store.close();
    },
  };
}

/** The hub behind its listener, reached with the administrator's certificate. */
export async function openSecureHub(): Promise<SecureHub> {
  const authority = await openAuthority();
  const store = memoryStore();
  const hub = await createHub({ store, authority });
  const { serving, certificate: caBundle, admin } = authority;
  const listener = await listen({ hub, serving, clientAuthority: caBundle, port: 0 });
  const connection: Connection = { server: `https://127.0.0.1:${listener.port}`, caBundle, certificate: admin };
  const transport = new HttpsTransport(connection);
  return {
    store,
    authority,
    listener,
    connection,
    transport,
    client: (over = transport, more = {}) => clientOf(over, more),
    async close() {
      await transport.close();
      await listener.close();
      await hub.close();
      await store.close();
    },
  };
}

export const targets: readonly (readonly [string, () => Promise<OpenHub>])[] = [
  ['in process', () => openHub()],
  ['over HTTPS', openSecureHub],
];

/** Lays faults over a transport; each stays until it is taken away. */
export class Faults implements Transport {
  readonly #inner: Transport;
  /** Answers in place of the server, for as long as it answers something. */
  answer: ((request: WireRequest) => WireResponse | Error | undefined) | undefined;
  /** Answers streams in place of the server. */
  answerStream: ((request: WireRequest) => WireStream | Error | undefined) | undefined;
  /** Streams on which something comes now are dead from then on, and nobody is told: as half-open connections are. */
  silent = false;
  readonly asked: string[] = [];
  readonly #cuts = new Set<(error: Error) => void>();

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  get streams(): number {
    return this.#cuts.size;
  }

  send(request: WireRequest): Promise<WireResponse> {
    this.asked.push(lineOf(request));
    const answer = this.answer?.(request);
    if (answer instanceof Error) return Promise.reject(answer);
    return answer ? Promise.resolve(answer) : this.#inner.send(request);
  }

  async stream(request: WireRequest): Promise<WireStream> {
    this.asked.push(lineOf(request));
    const answer = this.answerStream?.(request);
    if (answer instanceof Error) throw answer;
    if (answer) return answer;
    const inner = new AbortController();
    request.signal?.addEventListener('abort', () => inner.abort(request.signal?.reason));
    const opened = await this.#inner.stream({ ...request, signal: inner.signal });
    return opened.chunks ? { ...opened, chunks: this.#cuttable(opened.chunks, inner) } : opened;
  }

  /** Breaks all streams. */
  cut(error: Error): void {
    for (const cut of this.#cuts) cut(error);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async *#cuttable<T>(chunks: AsyncIterable<T>, inner: AbortController): AsyncGenerator<T> {
    const iterator = chunks[Symbol.asyncIterator]();
    let cut: (error: Error) => void = () => {};
    const broken = new Promise<never>((_resolve, reject) => (cut = reject));
    broken.catch(() => {});
    inner.signal.addEventListener('abort', () => cut(inner.signal.reason as Error));
    this.#cuts.add(cut);
    let dead = false;
    try {
      for (;;) {
        const next = await Promise.race([iterator.next(), broken]);
        if (next.done) return;
        dead ||= this.silent;
        if (!dead) yield next.value;
      }
    } finally {
      this.#cuts.delete(cut);
      inner.abort(new Error('nobody reads any more'));
    }
  }
}

function lineOf({ method, path, query }: WireRequest): string {
  return `${method} ${path}${query && `?${query}`}`;
}

/** Resolves as soon as the condition holds; it is looked at after every turn of the event loop. */
export async function until(condition: () => boolean, meanwhile: () => void = () => {}): Promise<void> {
  while (!condition()) {
    meanwhile();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Hubs put ConfigMaps of their own into namespaces; ours are found by this. */
export const ours = 'kit=yes';

/** A ConfigMap with a name of its own. */
export function configMap(
  namespace: string,
  data: Record<string, string> = {},
  name = `cm-${randomUUID().slice(0, 8)}`,
): KubeObject & { data: Record<string, string> } {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels: { kit: 'yes' } }, data };
}

/** A fresh namespace. */
export async function namespaceOf(hub: ApiClient): Promise<string> {
  const name = `case-${randomUUID().slice(0, 8)}`;
  await hub.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
}
