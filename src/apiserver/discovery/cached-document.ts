import { createHash } from 'node:crypto';
import { header } from '../../auth/index.ts';
import type { HubRequest, HubResponse } from '../http.ts';

/** A text that many clients fetch again and again: made once, known by its hash. */
export interface Document {
  readonly body: Buffer;
  /** SHA-512 in upper-case hex, as Kubernetes puts it into ETags and `?hash=`. */
  readonly hash: string;
}

/** A document of these bytes. */
export function documentOf(body: Buffer | string): Document {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { body: bytes, hash: createHash('sha512').update(bytes).digest('hex').toUpperCase() };
}

/** A document of a JSON value. */
export function jsonDocument(value: unknown): Document {
  return documentOf(`${JSON.stringify(value)}\n`);
}

/** The answer with a document: 304 when the client has it already. */
export function documentResponse(request: HubRequest, document: Document, type: string): HubResponse {
  const etag = `"${document.hash}"`;
  const headers = { etag, vary: 'Accept', 'cache-control': 'no-cache, private' };
  if (header(request, 'if-none-match') === etag) return { status: 304, headers };
  return { status: 200, headers: { ...headers, 'content-type': type }, body: document.body };
}
