/** One request to an API server, over a socket or within the process. */
export interface WireRequest {
  /** Upper case. */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Encoded, without the question mark; '' for none. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /**
   * Called with the text of an answer before it is parsed, if it has one: a caller that sees what comes next can ask
   * for it.
   */
  readonly onText?: (text: string) => void;
  /** Called when the request is about to be written to a connection; what it throws stops the request. */
  readonly onLeave?: () => void;
  /** Called with the number of bytes that have come from a server, of an answer or of a piece of a stream. */
  readonly onBytes?: (count: number) => void;
}

/** Headers of an answer, names in lower case. */
export type WireHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A whole answer. */
export interface WireResponse {
  readonly status: number;
  readonly headers: WireHeaders;
  /** The JSON value; the text of a body that is not JSON; undefined when there is no body. */
  readonly body?: unknown;
}

/** One event of a watch. */
export interface WireEvent {
  readonly type: string;
  readonly object: unknown;
}

/** A piece of a stream: bytes cut anywhere, or whole events. */
export type Chunk = Buffer | readonly WireEvent[];

/** The answer to a request for a stream: chunks, or a body when there is none to give. */
export interface WireStream extends WireResponse {
  readonly chunks?: AsyncIterable<Chunk>;
}

/**
 * A way to an API server. It answers what the server answers, whatever the code, and throws Unreachable when nothing
 * came back; an aborted request throws the reason of its signal.
 */
export interface Transport {
  send(request: WireRequest): Promise<WireResponse>;
  /** Leaving the iteration of the chunks ends the stream, and so does the signal. */
  stream(request: WireRequest): Promise<WireStream>;
  close(): Promise<void>;
}

/** The single value of a header. */
export function headerOf(headers: WireHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value[0];
}
