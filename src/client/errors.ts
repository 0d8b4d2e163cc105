import { ApiError, codeOf, failure } from '../api/index.ts';
import type { Status, StatusReason } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import { headerOf } from './transport.ts';
import type { WireHeaders, WireResponse } from './transport.ts';

/**
 * Why an API could not be asked: nobody listens, its name is unknown, it is too slow, it is not who it should be,
 * the connection broke, what answered is no Kubernetes API, or it sends more than any server should.
 */
export type UnreachableWhy = 'refused' | 'unresolved' | 'timeout' | 'untrusted' | 'cut' | 'nonsense' | 'excessive';

/** An API server that did not answer. Whether it handled the request is unknown. */
export class Unreachable extends Error {
  readonly why: UnreachableWhy;
  /** Tells whether the request may have reached the server. If not, sending it again is safe whatever it does. */
  readonly sent: boolean;

  constructor(why: UnreachableWhy, message: string, options: ErrorOptions & { readonly sent: boolean }) {
    super(message, options);
    this.name = 'Unreachable';
    this.why = why;
    this.sent = options.sent;
  }
}

/** A kind that the server does not serve, as far as we know. */
export class UnknownKind extends Error {
  readonly apiVersion: string;
  readonly kind: string;

  constructor(apiVersion: string, kind: string) {
    super(`no resource of kind ${kind} in ${apiVersion} is known`);
    this.name = 'UnknownKind';
    this.apiVersion = apiVersion;
    this.kind = kind;
  }
}

const beforeSending: Readonly<Record<string, UnreachableWhy>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EHOSTDOWN: 'refused',
  ENOTFOUND: 'unresolved',
  EAI_AGAIN: 'unresolved',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
};
const slow: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
/** Node's codes for a certificate that it does not accept; all of these come before a byte of the request is sent. */
const badCertificate =
  /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH|PATH_LENGTH)/;

/** Messages for errors that the library describes only by their own name. */
const inWords: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer',
  UND_ERR_BODY_TIMEOUT: 'it began to answer and stopped',
  UND_ERR_HEADERS_OVERFLOW: 'its answer has more headers than are read',
};

/**
 * The error for an answer that is not what was asked for; says what came instead.
 * `wanted` is a noun: `a list`.
 */
export function nonsenseOf({ headers, body }: Pick<WireResponse, 'headers' | 'body'>, wanted: string): Unreachable {
  return new Unreachable('nonsense', `the server answered ${instead(headers, body)} where ${wanted} was expected`, {
    sent: true,
  });
}

function instead(headers: WireHeaders, body: unknown): string {
  const encoding = headerOf(headers, 'content-encoding');
  if (encoding && encoding !== 'identity') return `with compression (${encoding.slice(0, 40)}), unasked,`;
  if (body === undefined) return 'nothing';
  if (typeof body !== 'string') return 'other JSON';
  const type = (headerOf(headers, 'content-type') ?? '').split(';')[0]?.slice(0, 60) ?? '';
  if (type.includes('json')) return 'broken JSON';
  return `${type || 'text of no type'} ("${body.slice(0, 60).replace(/\s+/g, ' ').trim()}")`;
}

/** The meaning of a network failure. */
export function unreachableOf(error: unknown, server: string): Unreachable {
  if (error instanceof Unreachable) return error;
  const code = codeIn(error);
  const said = inWords[code] ?? (error instanceof Error ? error.message || code : String(error));
  const message = `${server} cannot be reached: ${said}`;
  const early = beforeSending[code] ?? (badCertificate.test(code) ? 'untrusted' : undefined);
  if (early) return new Unreachable(early, message, { sent: false, cause: error });
  return new Unreachable(slow.has(code) ? 'timeout' : 'cut', message, { sent: true, cause: error });
}

function codeIn(error: unknown): string {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined || cause === error ? '' : codeIn(cause);
}

const reasons: Readonly<Record<number, StatusReason>> = {
  ...Object.fromEntries(Object.entries(codeOf).map(([reason, code]) => [code, reason as StatusReason])),
  // Codes with several reasons: without a Status the general one is all that can be said.
  409: 'Conflict',
  410: 'Gone',
  500: 'InternalError',
};

/** The failure that a response with a code of 400 or more stands for, whether or not a Status came with it. */
export function failureOf({ status: code, headers, body }: WireResponse): ApiError {
  const status = isStatus(body) ? statusOf(body) : bareStatus(code, body);
  const patience = status.details?.retryAfterSeconds ?? secondsOf(headerOf(headers, 'retry-after'));
  return new ApiError({
    ...status,
    code,
    ...(patience !== undefined && { details: { ...status.details, retryAfterSeconds: patience } }),
  });
}

const isStatus = (body: unknown): body is Record<string, unknown> => isObject(body) && body['kind'] === 'Status';

/** A Status as a server sent it, less what it must not say: whatever is of the wrong type is left out. */
export function statusOf(body: unknown): Status {
  const said = isObject(body) ? body : {};
  const { message, reason, details, code } = said;
  return {
    ...failure('InternalError', 'the server gave no reason').status,
    ...(isObject(said['metadata']) && { metadata: said['metadata'] }),
    ...(typeof message === 'string' && { message: message.slice(0, longestMessage) }),
    ...(typeof reason === 'string' && { reason: reason.slice(0, longestMessage) }),
    ...(typeof code === 'number' && { code }),
    ...(isObject(details) && { details: detailsOf(details) }),
  };
}

const longestMessage = 32 * 1024;

function detailsOf({ causes, retryAfterSeconds, ...rest }: Record<string, unknown>): NonNullable<Status['details']> {
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value === 'string')),
    ...(Array.isArray(causes) && { causes: causes.filter(isObject) }),
    ...(typeof retryAfterSeconds === 'number' && retryAfterSeconds >= 0 && { retryAfterSeconds }),
  };
}

function bareStatus(code: number, body: unknown): Status {
  const said = typeof body === 'string' && body !== '' ? `: ${body.slice(0, 200).trim()}` : '';
  return { ...failure(reasons[code] ?? 'InternalError', `the server answered ${code}${said}`).status, code };
}

function secondsOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

/** Tells whether the server refused because the object is not what the caller believed. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 409;
}

/** Tells whether the object, or its resource, does not exist. */
export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 404;
}

/** Tells whether the requested revision is no longer kept, or not yet known. Only a new list helps. */
export function isGone(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone') return true;
  return error.status.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') === true;
}
