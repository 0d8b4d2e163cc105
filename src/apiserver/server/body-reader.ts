import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { ApiError, tooLarge, tooManyRequests } from '../../api/index.ts';
import type { User } from '../../api/index.ts';
import { isExempt } from '../flow/control.ts';
import { largestBody } from '../request/body.ts';

/** How long bodies may take, and how many bytes of them are kept. */
export interface BodyLimits {
  /** A body that has not ended by then is given up, with its stream or connection. */
  readonly milliseconds?: number;
  /** Bytes of all bodies together, from their first chunk until their requests are answered. */
  readonly bytes?: number;
}

/** A body, and what gives its bytes back; to be called when its request is answered. */
export interface BufferedBody {
  readonly body: Buffer;
  readonly release: () => void;
}

/** The sender of a request to a member that is not up yet. */
const nobody: User = { name: '', groups: [] };

/** As long as kube-apiserver gives a request. */
const longestMilliseconds = 60_000;
const mostBytes = 256 * 1024 * 1024;
/** One sender may take a quarter of the bytes: it leaves enough for all others. */
const partOfSender = 4;
/** Bodies up to this size are ordinary writes: they are read until twice the bytes are taken. */
const ordinaryBytes = 64 * 1024;
const retrySeconds = 5;

/**
 * Reads the bodies of all requests of a listener. Guarantees: bodies that are being read, and those whose requests wait for their
 * turn, keep no more memory than the limit; one sender takes no more than its part; ordinary writes do not wait for large ones.
 */
export class BodyReader {
  readonly #milliseconds: number;
  readonly #bytes: number;
  readonly #bySender = new Map<string, number>();
  #held = 0;

  constructor({ milliseconds = longestMilliseconds, bytes = mostBytes }: BodyLimits = {}) {
    this.#milliseconds = milliseconds;
    this.#bytes = bytes;
  }

  /** The body, which may be empty; the error to answer with; or null when there is nobody to answer any more. */
  read(incoming: IncomingMessage | Http2ServerRequest, sender: User = nobody): Promise<BufferedBody | ApiError | null> {
    return new Promise((resolve) => {
      let chunks: Buffer[] = [];
      let length = 0;
      let isOver = false;
      const release = (): void => {
        this.#count(sender, -length);
        length = 0;
      };
      const settle = (outcome: BufferedBody | ApiError | null): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        chunks = [];
        if (outcome === null || outcome instanceof ApiError) release();
        resolve(outcome);
      };
      const timer = setTimeout(() => {
        giveUp(incoming);
        settle(null);
      }, this.#milliseconds);
      incoming.on('data', (chunk: Buffer) => {
        if (isOver) return;
        this.#count(sender, chunk.length);
        length += chunk.length;
        chunks.push(chunk);
        const refusal = this.#refusalOf(sender, length);
        if (refusal) settle(refusal);
      });
      incoming.on('end', () =>
        settle({ body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks), release }),
      );
      incoming.on('error', () => settle(null));
      incoming.on('close', () => settle(null));
    });
  }

  #count(sender: User, bytes: number): void {
    if (isExempt(sender) || bytes === 0) return;
    const { name } = sender;
    this.#held += bytes;
    const own = (this.#bySender.get(name) ?? 0) + bytes;
    if (own > 0) this.#bySender.set(name, own);
    else this.#bySender.delete(name);
  }

  #refusalOf(sender: User, length: number): ApiError | undefined {
    if (length > largestBody) return tooLarge(largestBody);
    if (isExempt(sender)) return undefined;
    const most = length > ordinaryBytes ? this.#bytes : 2 * this.#bytes;
    const own = this.#bySender.get(sender.name) ?? 0;
    if (this.#held <= most && own <= this.#bytes / partOfSender) return undefined;
    return tooManyRequests('too many large bodies are being sent, please try again later', retrySeconds);
  }
}

/** Closes the stream of HTTP/2 alone; on HTTP/1.1 nothing can follow an unfinished body, so the connection goes. */
function giveUp(incoming: IncomingMessage | Http2ServerRequest): void {
  if ('stream' in incoming) incoming.stream.close();
  else incoming.socket.destroy();
}
