import type { PeerCertificate } from './credentials.ts';

/** The part of a TLS socket that tells who is at the other end. */
export interface PeerSocket {
  readonly authorized: boolean;
  getPeerCertificate(): {
    readonly subject?: Readonly<Record<string, string | string[] | undefined>>;
    readonly raw?: Buffer;
    readonly valid_to?: string;
  };
}

interface KnownPeer {
  readonly peer: PeerCertificate;
  readonly until: number;
}

/** Connections live long and reading a certificate is slow: it is read once per connection. */
const known = new WeakMap<PeerSocket, KnownPeer | null>();

/**
 * The client certificate of a connection, if TLS has verified it against our authority and it has not expired since.
 * For a server with `requestCert: true, rejectUnauthorized: false` and our authority as its only `ca`.
 */
export function peerOf(socket: PeerSocket, now: number = Date.now()): PeerCertificate | undefined {
  let entry = known.get(socket);
  if (entry === undefined) {
    entry = readPeer(socket);
    known.set(socket, entry);
  }
  return entry && now < entry.until ? entry.peer : undefined;
}

function readPeer(socket: PeerSocket): KnownPeer | null {
  if (!socket.authorized) return null;
  const { subject, raw, valid_to: validTo } = socket.getPeerCertificate();
  const commonName = subject?.['CN'];
  // Two common names are two claims about who this is; taking either would be a guess.
  if (typeof commonName !== 'string' || commonName === '') return null;
  const organizations = [subject?.['O'] ?? []].flat();
  const peer = { commonName, organizations, ...(raw && { raw }) };
  return { peer, until: Date.parse(validTo ?? '') || 0 };
}
