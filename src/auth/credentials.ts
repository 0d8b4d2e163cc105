import type { User } from '../api/index.ts';

/** The leaf of a client certificate that TLS has verified against our authority. */
export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly raw?: Buffer;
}

/** The part of a request that says who asks. */
export interface Credentials {
  /** Decoded only by the path parser; without the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Every value of the headers that came more than once and may not be joined; see `repeatedHeaders`. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
  /** In-process callers say who they are; the listener never sets it. */
  readonly user?: User;
  readonly peer?: PeerCertificate;
}

/** The value of a header, by its name in lower case; empty when it is absent. */
export function header(request: Pick<Credentials, 'headers'>, name: string): string {
  return request.headers[name] ?? '';
}
