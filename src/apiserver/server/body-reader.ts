import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { tooLarge, tooManyRequests } from '../../api/index.ts';
import type { ApiError } from '../../api/index.ts';
import { largestBody } from '../request/body.ts';

/** How long bodies may take, and how many bytes of unfinished ones are kept. */
export interface BodyLimits {
  /** A body that has not ended by then is given up, with its stream or connection. */
  readonly milliseconds?: number;
  /** Bytes of all unfinished bodies together. */
  readonly bytes?: number;
}

/** As long as kube-apiserver gives a request. */
const longestMilliseconds = 60_000;
const mostBytes = 256 * 1024 * 1024;
/** Bodies up to this size are ordinary writes: they are read whatever others send. */
const ordinaryBytes = 64 * 1024;
const retrySeconds = 5;

/**
 * Reads the bodies of all requests of a listener. Guarantees: callers who send slowly, or send many large bodies and end none,
 * keep no more memory than the limit, and nobody's ordinary writes wait for them.
 */
export class BodyReader {
  readonly #milliseconds: number;
  readonly #bytes: number;
  #held = 0;

  constructor({ milliseconds = longestMilliseconds, bytes = mostBytes }: BodyLimits = {}) {
    this.#milliseconds = milliseconds;
    this.#bytes = bytes;
  }

  /** The body, which may be empty; the error to answer with; or null when there is nobody to answer any more. */
  read(incoming: IncomingMessage | Http2ServerRequest): Promise<Buffer | ApiError | null> {
    return new Promise((resolve) => {
      let chunks: Buffer[] = [];
      let length = 0;
      let isOver = false;
      const settle = (body: Buffer | ApiError | null): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        this.#held -= countedOf(length);
        chunks = [];
        resolve(body);
      };
      const timer = setTimeout(() => {
        giveUp(incoming);
        settle(null);
      }, this.#milliseconds);
      incoming.on('data', (chunk: Buffer) => {
        if (isOver) return;
        this.#held += countedOf(length + chunk.length) - countedOf(length);
        length += chunk.length;
        chunks.push(chunk);
        const refusal = this.#refusalOf(length);
        if (refusal) settle(refusal);
      });
      incoming.on('end', () => settle(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
      incoming.on('error', () => settle(null));
      incoming.on('close', () => settle(null));
    });
  }

  #refusalOf(length: number): ApiError | undefined {
    if (length > largestBody) return tooLarge(largestBody);
    if (countedOf(length) === 0 || this.#held <= this.#bytes) return undefined;
    return tooManyRequests('too many large bodies are being sent, please try again later', retrySeconds);
  }
}

/** The bytes of a body that count: none of an ordinary one. */
function countedOf(length: number): number {
  return length > ordinaryBytes ? length : 0;
}

/** Closes the stream of HTTP/2 alone; on HTTP/1.1 nothing can follow an unfinished body, so the connection goes. */
function giveUp(incoming: IncomingMessage | Http2ServerRequest): void {
  if ('stream' in incoming) incoming.stream.close();
  else incoming.socket.destroy();
}
