/** Who asks. Authentication fills it in; in-process callers bring their own. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The leaf of a client certificate that TLS has verified against our authority. */
export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly raw?: Buffer;
}

/**
 * One request, whether it came over a socket or from inside the process.
 * Light on purpose: web Request/Response objects cost more than the work of a GET.
 */
export interface HubRequest {
  /** Upper case. */
  readonly method: string;
  /** Decoded only by the path parser; without the query. */
  readonly path: string;
  /** Raw, without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Every value of the headers that came more than once and may not be joined; see `repeatedHeaders`. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
  readonly body?: Buffer;
  /** In process: the body as a value, which spares the parsing; the hub freezes it. */
  readonly object?: unknown;
  /** In process: answer with frozen values (`HubResponse.object`, `Sink.event`) instead of bytes. */
  readonly wantsObjects?: boolean;
  /** In process: record no owners of fields. An object made so stays without, and cheap to write, until somebody applies to it. */
  readonly untracked?: boolean;
  readonly user?: User;
  readonly peer?: PeerCertificate;
  /** The address that the request came from, for the audit log. */
  readonly from?: string;
}

/** A watch event as in-process callers get it. */
export interface HubEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: unknown;
}

/** Where a stream writes to. */
export interface Sink {
  /** Bytes that are meant to leave at once; the buffer is shared, never change it. */
  write(chunk: Buffer): void;
  /** In place of `write` when the request wants objects. */
  event?(events: readonly HubEvent[]): void;
  /** How many bytes were written that have not left yet. */
  pending(): number;
  /** Calls back when there is room for more; absent where there always is. */
  readonly whenRoom?: (callback: () => void) => void;
  end(): void;
}

/** A response body that goes on: `open` starts it and returns what stops it. */
export interface HubStream {
  open(sink: Sink): () => void;
}

/** The answer; exactly one of body, parts, object and stream is set, or none. */
export interface HubResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer;
  /** A long body, piece by piece; most pieces are the stored bytes themselves, so never change them. */
  readonly parts?: readonly Buffer[];
  readonly object?: unknown;
  readonly stream?: HubStream;
}

/** The value of a header that may stand in any case; the listener has lowered the names. */
export function header(request: HubRequest, name: string): string {
  return request.headers[name] ?? '';
}
