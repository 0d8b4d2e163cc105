import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';

/** A request that is refused, with its status. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

/** The host of a `Host` header, without its port; undefined when it is none. */
function hostOf(header: string | undefined): string | undefined {
  const url = `http://${header ?? ''}`;
  if (header === undefined || header === '' || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

/**
 * Throws when a request may come from another site. A page of another site reaches this server under a name of its own
 * (DNS rebinding): only addresses, localhost and the name that the server listens on are answered. Its own origin must be
 * the only one that changes anything or reads an answer.
 */
export function requireOwnSite(request: IncomingMessage, listening: string): void {
  const { headers, method = 'GET' } = request;
  const host = hostOf(headers.host);
  if (host === undefined || !(isIP(host) > 0 || host === 'localhost' || host === listening))
    throw new Refusal(421, 'this is not a name of the dashboard: use the address that it printed');
  requireOwnOrigin(headers, method);
  if (method !== 'GET' && method !== 'HEAD') requireOwnChange(headers);
}

function requireOwnOrigin(headers: IncomingMessage['headers'], method: string): void {
  const { origin, 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode } = headers;
  const isLink = mode === 'navigate' && method === 'GET';
  if (site !== 'same-origin' && site !== 'none' && !isLink)
    throw new Refusal(403, 'requests of other sites are refused');
  const own = [undefined, `http://${headers.host ?? ''}`, `https://${headers.host ?? ''}`];
  if (!own.includes(origin)) throw new Refusal(403, 'requests of other origins are refused');
}

/** No form of another site can send JSON, and browsers name the origin of a change. */
function requireOwnChange({ origin, 'content-type': type = '' }: IncomingMessage['headers']): void {
  if (origin === undefined) throw new Refusal(403, 'a change must name its origin');
  if (!type.startsWith('application/json')) throw new Refusal(415, 'a change must be JSON');
}

/**
 * The headers of every answer: no script or style but ours, no frame around the page, no other site that reads it. The
 * editor makes its styles while it runs, which the nonce allows.
 */
export function protect(response: ServerResponse, nonce: string): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  response.setHeader('content-security-policy', policy.join('; '));
  response.setHeader('x-frame-options', 'DENY');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cache-control', 'no-store');
}

const longestBody = 32 * 1024 * 1024;

/** The JSON of a request; throws when it is none or too long. */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > longestBody) throw new Refusal(413, 'the request is too large');
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new Refusal(400, 'the body is not JSON');
  }
}
