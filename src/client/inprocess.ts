import type { Chunk, Transport, WireEvent, WireHeaders, WireRequest, WireStream } from './transport.ts';

/** The caller, as a server within the process is told. */
export interface InProcessUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** A request that brings and takes values instead of bytes. */
interface ValueRequest extends Omit<WireRequest, 'body' | 'signal'> {
  readonly object?: unknown;
  readonly wantsObjects: true;
  readonly untracked: boolean;
  readonly user: InProcessUser;
}

interface EventSink {
  write(chunk: Buffer): void;
  event(events: readonly WireEvent[]): void;
  pending(): number;
  end(): void;
}

interface ValueResponse {
  readonly status: number;
  readonly headers: WireHeaders;
  readonly body?: Buffer;
  readonly object?: unknown;
  readonly stream?: { open(sink: EventSink): () => void };
}

/** An API server as a function: the embedded hub, without a socket and without JSON. */
export type Handle = (request: ValueRequest) => Promise<ValueResponse>;

/** The options of a server within the process, beside the request itself. */
export interface InProcessOptions {
  /** Of which objects, by their path, need nobody know who owns which field? */
  readonly untracked?: (path: string) => boolean;
}

/** The transport to a server within the process. Values go through as they are, so they must be frozen on both sides. */
export function inProcess(handle: Handle, user: InProcessUser, options: InProcessOptions = {}): Transport {
  const open = new Set<() => void>();
  const asked = async (request: WireRequest): Promise<ValueResponse> => {
    request.signal?.throwIfAborted();
    const { method, path, query, headers, body } = request;
    const object = body === undefined ? {} : { object: body };
    const untracked = options.untracked?.(path) ?? false;
    return handle({ method, path, query, headers, wantsObjects: true, untracked, user, ...object });
  };
  return {
    async send(request) {
      const response = await asked(request);
      return { status: response.status, headers: response.headers, body: bodyOf(response) };
    },
    async stream(request): Promise<WireStream> {
      const response = await asked(request);
      const { status, headers, stream } = response;
      if (!stream) return { status, headers, body: bodyOf(response) };
      const pipe = new Pipe();
      const stop = stream.open(pipe);
      const close = (): void => {
        open.delete(close);
        stop();
        pipe.end();
      };
      open.add(close);
      pipe.onLeave = close;
      request.signal?.addEventListener('abort', close, { once: true });
      return { status, headers, chunks: pipe };
    },
    close() {
      for (const close of open) close();
      return Promise.resolve();
    },
  };
}

function bodyOf({ object, body }: ValueResponse): unknown {
  if (object !== undefined || !body) return object;
  const text = body.toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Turns pushed events into an iterable. Events that come before the first read are handed over in one batch. */
class Pipe implements EventSink, AsyncIterable<Chunk>, AsyncIterator<Chunk> {
  #chunks: Buffer[] = [];
  #events: WireEvent[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  onLeave: () => void = () => {};

  write(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#wake?.();
  }

  event(events: readonly WireEvent[]): void {
    for (const event of events) this.#events.push(event);
    this.#wake?.();
  }

  pending(): number {
    return 0;
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<Chunk> {
    return this;
  }

  async next(): Promise<IteratorResult<Chunk>> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) return { value: chunk, done: false };
      if (this.#events.length > 0) {
        const value = this.#events;
        this.#events = [];
        return { value, done: false };
      }
      if (this.#ended) return { value: undefined, done: true };
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  return(): Promise<IteratorResult<Chunk>> {
    this.onLeave();
    return Promise.resolve({ value: undefined, done: true });
  }
}
