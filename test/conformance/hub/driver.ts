/**
 * The parts of an API server that a suite needs: requests and watches, nothing else. A target is a way to reach one;
 * the cases know neither which target it is nor what lies behind it. Start with targets.ts, which lists them.
 */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed JSON; undefined when there is none. */
  readonly body: unknown;
  readonly text: string;
}

export interface WatchedEvent {
  readonly type: string;
  readonly object: unknown;
}

export interface Watching {
  readonly status: number;
  /** The next event; undefined once the server has ended the stream. */
  next(): Promise<WatchedEvent | undefined>;
  close(): void;
}

type Headers = Readonly<Record<string, string>>;

export interface Request {
  readonly method: string;
  readonly path: string;
  /** A value is sent as JSON, a string or a Buffer as it is. */
  readonly body?: unknown;
  readonly headers?: Headers;
}

export interface Driver {
  send(request: Request): Promise<Reply>;
  watch(path: string, headers?: Headers): Promise<Watching>;
}

export interface OpenTarget {
  readonly driver: Driver;
  close(): Promise<void>;
}

export interface Target {
  readonly name: string;
  open(): Promise<OpenTarget>;
}

/** The value at a path of names and indices; undefined when the path leads nowhere. */
export function at(value: unknown, path: string): unknown {
  let current = value;
  for (const step of path.split('.')) current = (current as Record<string, unknown> | undefined | null)?.[step];
  return current;
}

/** The text at a path, '' when there is none. */
export function textAt(value: unknown, path: string): string {
  const found = at(value, path);
  return typeof found === 'string' ? found : '';
}

/** Bytes that arrive in any pieces, cut into watch events. */
export class EventReader implements Watching {
  readonly status: number;
  readonly #stop: () => void;
  #rest = '';
  #ended = false;
  readonly #ready: WatchedEvent[] = [];
  readonly #waiting: ((event: WatchedEvent | undefined) => void)[] = [];

  constructor(status: number, stop: () => void) {
    this.status = status;
    this.#stop = stop;
  }

  take(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('utf8')).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line) this.#give(JSON.parse(line) as WatchedEvent);
  }

  end(): void {
    this.#ended = true;
    for (const waiting of this.#waiting.splice(0)) waiting(undefined);
  }

  next(): Promise<WatchedEvent | undefined> {
    const event = this.#ready.shift();
    if (event || this.#ended) return Promise.resolve(event);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#stop();
    this.end();
  }

  #give(event: WatchedEvent): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(event);
    else this.#ready.push(event);
  }
}
