import { Unreachable } from './errors.ts';

/** How much a server may send, and how long to wait: a broken or hostile one costs us no more than that. */
export interface Bounds {
  /** The bound of one answer. */
  readonly bodyBytes: number;
  /** The bound of all answers that are being read from one server. */
  readonly bytesAtOnce: number;
  /** The bound of one event of a watch. */
  readonly lineBytes: number;
  /** Until an answer is complete, however steadily it comes. */
  readonly answerMilliseconds: number;
}

/** For members, which we do not trust. A page of 500 objects of 32 KiB each fits; etcd takes no object above 1.5 MiB. */
export const memberBounds: Bounds = {
  bodyBytes: 16 << 20,
  bytesAtOnce: 64 << 20,
  lineBytes: 8 << 20,
  answerMilliseconds: 60_000,
};

/** For the hub that the user has chosen. */
export const usualBounds: Bounds = {
  bodyBytes: 512 << 20,
  bytesAtOnce: 1024 << 20,
  lineBytes: 64 << 20,
  answerMilliseconds: 600_000,
};

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / (1 << 20))} MiB`;

/** The error for an answer that is larger than it may be. */
export function tooLarge(what: string, most: number): Unreachable {
  return new Unreachable('excessive', `${what} is larger than ${mebibytes(most)}`, { sent: true });
}

/** The error for an answer that takes too long. */
export function tooSlow(milliseconds: number): Unreachable {
  const message = `the server began to answer and was not done after ${milliseconds / 1000} s`;
  return new Unreachable('timeout', message, { sent: true });
}

const [quote, backslash, brace, bracket] = [0x22, 0x5c, 0x7b, 0x5b];
const [endBrace, endBracket] = [0x7d, 0x5d];
/** Levels of collections in JSON from a server. Most functions on objects recurse; the hub takes 500. */
const mostLevels = 1000;

/** Throws when JSON is nested so deeply that reading it could exhaust the stack or the memory. Looks at bytes alone. */
export function requireShallow(json: Uint8Array): void {
  const end = json.length;
  let level = 0;
  for (let i = 0; i < end; i++) {
    const byte = json[i];
    if (byte === quote) i = endOfText(json, i + 1, end);
    else if (byte === brace || byte === bracket) {
      if (++level > mostLevels)
        throw new Unreachable('nonsense', `the server sent JSON of more than ${mostLevels} levels`, { sent: true });
    } else if (byte === endBrace || byte === endBracket) level--;
  }
}

function endOfText(json: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end && json[i] !== quote) i += json[i] === backslash ? 2 : 1;
  return i;
}

/** Bytes that are being gathered from one server, over all its answers. */
export class Gathered {
  #bytes = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Throws when this is too much at once. */
  take(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#most) throw tooLarge('all that the server sends at once', this.#most);
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}
