import type { Duplex } from 'node:stream';
import type { User } from '../api/index.ts';
import type { Credentials } from '../auth/index.ts';

/**
 * One request, whether it came over a socket or from inside the process.
 * Light on purpose: web Request/Response objects cost more than the work of a GET.
 */
export interface HubRequest extends Credentials {
  /** Upper case. */
  readonly method: string;
  /** Raw, without the question mark. */
  readonly query: string;
  readonly body?: Buffer;
  /** In process: the body as a value, which spares the parsing; the hub freezes it. */
  readonly object?: unknown;
  /** In process: answer with frozen values (`HubResponse.object`, `Sink.event`) instead of bytes. */
  readonly wantsObjects?: boolean;
  /** In process: record no owners of fields. An object made so stays without, and cheap to write, until somebody applies to it. */
  readonly untracked?: boolean;
  /** The authenticated caller, as `Hub.recognize` sets it: it is not authenticated again. */
  readonly caller?: User;
  /** The address that the request came from, for the audit log. */
  readonly from?: string;
  /** Names and values in turns, as they came over the wire: a proxy must not join values. */
  readonly rawHeaders?: readonly string[];
  /** The protocol that the caller wants its connection to switch to. */
  readonly upgrade?: string;
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
  /** Calls back when the sink can take more; absent where it always can. */
  readonly whenDrained?: (callback: () => void) => void;
  /** Cuts the stream, with what has not left; absent where everything leaves at once. */
  readonly drop?: () => void;
  end(): void;
}

/** A response body that goes on: `open` starts it and returns what stops it. */
export interface HubStream {
  open(sink: Sink): () => void;
}

/** Takes over the connection of a caller whose request was answered with 101; `head` came in before the answer left. */
export interface HubTunnel {
  open(socket: Duplex, head: Buffer): void;
}

/** The answer; exactly one of body, parts, object, stream and tunnel is set, or none. */
export interface HubResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer;
  /** A long body, piece by piece; most pieces are the stored bytes themselves, so never change them. */
  readonly parts?: readonly Buffer[];
  readonly object?: unknown;
  readonly stream?: HubStream;
  /** Only in an answer to a request with `upgrade`. */
  readonly tunnel?: HubTunnel;
}
