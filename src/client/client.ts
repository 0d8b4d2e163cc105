import { apiVersionOf, refOf } from '../api/index.ts';
import type { KindRef, KubeObject, Ref } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import { wallClock } from '../observe/index.ts';
import type { Clock, Metrics } from '../observe/index.ts';
import { failureOf, isNotFound, nonsenseOf, statusOf, Unreachable } from './errors.ts';
import { eventsOf } from './lines.ts';
import { meterOf } from './meter.ts';
import type { Meter } from './meter.ts';
import type {
  DeleteOptions,
  Deletion,
  ListOptions,
  Page,
  PatchOptions,
  ReadOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './options.ts';
import { pageOf, sound, typed } from './page.ts';
import { collectionPath, objectPath, resourceOf } from './resources.ts';
import type { ResourceInfo, Resources } from './resources.ts';
import { defaultRetry, retried } from './retry.ts';
import type { RetryOptions } from './retry.ts';
import { headerOf } from './transport.ts';
import type { Chunk, Transport, WireRequest, WireResponse } from './transport.ts';

/** The options of a client. */
export interface ClientOptions {
  readonly transport: Transport;
  /** The resources of the server; asked for every call, so that they may change. */
  readonly resources: () => Resources;
  /** The writer, as managedFields name it. */
  readonly fieldManager?: string;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly retry?: RetryOptions;
  readonly metrics?: Metrics;
  /** The name of the server in metrics. */
  readonly name?: string;
  /** Called with every warning that the server sends along. */
  readonly onWarning?: (text: string) => void;
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** The options that every call has. */
interface Ask {
  readonly verb: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly type?: string;
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: ((count: number) => void) | undefined;
}

/**
 * One API server, typed. Every object that comes back is frozen.
 * A call throws ApiError for what the server refused, Unreachable when it did not answer, UnknownKind for a kind that
 * it does not serve; an aborted one throws the reason of its signal.
 */
export class ApiClient {
  readonly #options: ClientOptions;
  readonly #clock: Clock;
  readonly #meter: Meter;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? wallClock;
    this.#meter = meterOf(options.metrics, options.name ?? 'hub');
  }

  get resources(): Resources {
    return this.#options.resources();
  }

  async get<T extends KubeObject = KubeObject>(ref: Ref, options: ReadOptions = {}): Promise<T> {
    const path = objectPath(this.#resource(ref), ref, options.subresource);
    const query = { resourceVersion: options.resourceVersion };
    return this.#object<T>({ verb: 'get', method: 'GET', path, query, signal: options.signal });
  }

  /** The object, or undefined when there is none. */
  async find<T extends KubeObject = KubeObject>(ref: Ref, options?: ReadOptions): Promise<T | undefined> {
    try {
      return await this.get<T>(ref, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** One page of a collection. */
  async list<T extends KubeObject = KubeObject>(kind: KindRef, options: ListOptions = {}): Promise<Page<T>> {
    const { namespace, signal, onBytes, ...query } = options;
    const resource = this.#resource(kind);
    const path = collectionPath(resource, namespace);
    const answer = await this.#ask({ verb: 'list', method: 'GET', path, query, signal, onBytes });
    return pageOf<T>(answer, kindOf(resource));
  }

  /** A whole collection, page after page, all at one revision. */
  async listAll<T extends KubeObject = KubeObject>(kind: KindRef, options: ListOptions = {}): Promise<Page<T>> {
    const items: T[] = [];
    let page = await this.list<T>(kind, { limit: 500, ...options });
    for (;;) {
      for (const item of page.items) items.push(item);
      if (items.length > mostObjects)
        throw new Unreachable('excessive', `the server sent more than ${mostObjects} objects of kind ${kind.kind}`, {
          sent: true,
        });
      if (!page.continue) return { items, resourceVersion: page.resourceVersion };
      // The revision is in the token; giving it again is an error.
      const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
      page = await this.list<T>(kind, { limit: 500, ...rest, continue: page.continue });
    }
  }

  /** Opens a watch. Its events come in the batches in which they arrived; leaving the iteration ends it. */
  async watch(kind: KindRef, options: WatchOptions = {}): Promise<AsyncIterable<readonly WatchEvent[]>> {
    const { namespace, signal, onBytes, ...query } = options;
    const resource = this.#resource(kind);
    const ask = {
      verb: 'watch',
      method: 'GET',
      path: collectionPath(resource, namespace),
      query: { ...query, watch: true },
    };
    const opened = await this.#options.transport.stream(requestOf({ ...ask, signal, onBytes }));
    this.#meter.answered('watch', opened.status);
    if (opened.status >= 400) throw failureOf(opened);
    requireDirect(opened);
    if (!opened.chunks || isCompressed(opened)) throw nonsenseOf(opened, 'a watch');
    return typedEvents(eventsOf(opened.chunks), kindOf(resource));
  }

  create<T extends KubeObject>(object: T, options: WriteOptions = {}): Promise<T> {
    const path = collectionPath(this.#resource(object), object.metadata.namespace);
    return this.#object<T>({ verb: 'create', method: 'POST', path, body: object, ...this.#writing(options) });
  }

  /** Replaces the object; its resourceVersion, where it has one, is the precondition. */
  update<T extends KubeObject>(object: T, options: WriteOptions = {}): Promise<T> {
    const path = objectPath(this.#resource(object), refOf(object), options.subresource);
    return this.#object<T>({ verb: 'update', method: 'PUT', path, body: object, ...this.#writing(options) });
  }

  /** Replaces the status; everything else of the object is left as the server has it. */
  updateStatus<T extends KubeObject>(object: T, options: WriteOptions = {}): Promise<T> {
    return this.update(object, { ...options, subresource: 'status' });
  }

  patch<T extends KubeObject = KubeObject>(ref: Ref, patch: unknown, options: PatchOptions): Promise<T> {
    const path = objectPath(this.#resource(ref), ref, options.subresource);
    const writing = this.#writing(options);
    const query = { ...writing.query, force: options.type === 'apply' ? options.force : undefined };
    const type = patchTypes[options.type];
    return this.#object<T>({ verb: 'patch', method: 'PATCH', path, body: patch, type, ...writing, query });
  }

  /** Deletes; what is not there any more is NotFound. */
  async delete(ref: Ref, options: DeleteOptions = {}): Promise<Deletion> {
    const { signal, dryRun, uid, resourceVersion, propagationPolicy, gracePeriodSeconds } = options;
    const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...((uid || resourceVersion) && { preconditions }),
      ...(propagationPolicy && { propagationPolicy }),
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
      ...(dryRun && { dryRun: ['All'] }),
    };
    const path = objectPath(this.#resource(ref), ref);
    const answer = await this.#ask({ verb: 'delete', method: 'DELETE', path, body, signal });
    return deletionOf(answer.body);
  }

  /** Asks for any path, as discovery, health and proxies need it; failures throw as everywhere. */
  raw(request: Pick<WireRequest, 'method' | 'path'> & Partial<WireRequest>): Promise<WireResponse> {
    const whole = { query: '', headers: { accept: 'application/json' }, ...request };
    return this.#deliver(whole, 'raw');
  }

  /** Opens any path whose answer is text that goes on, as logs are; failures throw as everywhere. */
  async text(request: Pick<WireRequest, 'path' | 'query' | 'signal'>): Promise<AsyncIterable<Buffer>> {
    const opened = await this.#options.transport.stream({ method: 'GET', headers: { accept: '*/*' }, ...request });
    this.#meter.answered('raw', opened.status);
    if (opened.status >= 400) throw failureOf(opened);
    requireDirect(opened);
    if (!opened.chunks || isCompressed(opened)) throw nonsenseOf(opened, 'text');
    return bytesOf(opened.chunks);
  }

  close(): Promise<void> {
    return this.#options.transport.close();
  }

  #resource(kind: KindRef): ResourceInfo {
    return resourceOf(this.resources, kind);
  }

  #writing(options: WriteOptions): { query: Query; signal?: AbortSignal | undefined } {
    const fieldManager = options.fieldManager ?? this.#options.fieldManager;
    const { fieldValidation, signal } = options;
    return { query: { fieldManager, fieldValidation, dryRun: options.dryRun ? 'All' : undefined }, signal };
  }

  async #object<T extends KubeObject>(ask: Ask): Promise<T> {
    const answer = await this.#ask(ask);
    const { body } = answer;
    if (!isObject(body) || !isObject(body['metadata'])) throw nonsenseOf(answer, 'an object');
    return sound(body) as T;
  }

  #ask(ask: Ask): Promise<WireResponse> {
    return this.#deliver(requestOf(ask), ask.verb);
  }

  #deliver(request: WireRequest, verb: string): Promise<WireResponse> {
    const { retry = defaultRetry, random = Math.random } = this.#options;
    const { signal, method } = request;
    const retrying = { retry, random, clock: this.#clock, signal, reads: method === 'GET' || method === 'HEAD' };
    return retried(() => this.#meter.measured(verb, () => this.#once(request)), retrying);
  }

  async #once(request: WireRequest): Promise<WireResponse> {
    const response = await this.#options.transport.send(request);
    const warning = headerOf(response.headers, 'warning');
    if (warning !== undefined) this.#options.onWarning?.(warning);
    if (response.status >= 400) throw failureOf(response);
    requireDirect(response);
    return response;
  }
}

function requestOf({ method, path, query, body, type = 'application/json', signal, onBytes }: Ask): WireRequest {
  const headers = body === undefined ? reading : { accept: 'application/json', 'content-type': type };
  const text = query ? queryText(query) : '';
  return {
    method,
    path,
    query: text,
    headers,
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
    ...(onBytes && { onBytes }),
  };
}

async function* bytesOf(chunks: AsyncIterable<Chunk>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) if (Buffer.isBuffer(chunk)) yield chunk;
}

/** The bound of a collection: a server that goes on beyond it may never end. */
const mostObjects = 1_000_000;

const reading = { accept: 'application/json' };

function kindOf(resource: ResourceInfo): KindRef {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind };
}

/** A redirect is never followed: it would take the credentials to another server. */
function requireDirect({ status, headers }: WireResponse): void {
  if (status < 300) return;
  const to = headerOf(headers, 'location')?.slice(0, 200) ?? 'nowhere';
  throw new Unreachable('nonsense', `the server answered ${status}, a redirect to ${to}, which is not followed`, {
    sent: true,
  });
}

function isCompressed({ headers }: WireResponse): boolean {
  return (headerOf(headers, 'content-encoding') ?? 'identity') !== 'identity';
}

async function* typedEvents(
  batches: AsyncIterable<readonly { readonly type: string; readonly object: unknown }[]>,
  kind: KindRef,
): AsyncGenerator<readonly WatchEvent[]> {
  for await (const batch of batches) {
    yield batch.map(({ type, object }) => typedEvent({ type, object }, kind));
  }
}

const known: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

function typedEvent({ type, object }: { readonly type: string; readonly object: unknown }, kind: KindRef): WatchEvent {
  if (type === 'ERROR') return { type, status: statusOf(object) };
  if (known.has(type)) return { type: type as 'ADDED', object: typed(object, kind, type === 'BOOKMARK') };
  throw new Unreachable('nonsense', `the watch sent an event of type ${type.slice(0, 40)}`, { sent: true });
}

/** An object that still waits for finalizers, or for its grace period, is not gone. */
function deletionOf(body: unknown): Deletion {
  if (!isObject(body) || body['kind'] === 'Status') return { gone: true };
  if (!isObject(body['metadata'])) return { gone: true };
  const object = sound(body);
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata;
  const waits = (finalizers?.length ?? 0) > 0 || (deletionGracePeriodSeconds ?? 0) > 0;
  return { gone: deletionTimestamp === undefined || !waits, object };
}

/** Parameters of a request; those that are undefined, false or empty are left out. */
type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The query as it stands in a URL, without the question mark. */
function queryText(query: Query): string {
  let text = '';
  for (const name in query) {
    const value = query[name];
    if (value === undefined || value === '' || value === false) continue;
    text += `${text && '&'}${name}=${encodeURIComponent(value)}`;
  }
  return text;
}
