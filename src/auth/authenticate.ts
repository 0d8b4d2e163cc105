import { hash } from 'node:crypto';
import { unauthorized } from '../api/index.ts';
import type { User } from '../api/index.ts';
import { header } from './credentials.ts';
import type { Credentials, PeerCertificate } from './credentials.ts';
import { anonymousName, authenticatedGroup, unauthenticatedGroup } from './serviceaccount.ts';
import type { Tokens } from './tokens.ts';

/** Paths that need no credential; they tell nothing but that the hub runs. */
const openPaths: ReadonlySet<string> = new Set([
  '/livez',
  '/readyz',
  '/healthz',
  '/version',
  '/version/',
  // The address and the authority of the hub, for those who register a member; a role allows it once there are tokens.
  '/api/v1/namespaces/kube-public/configmaps/cluster-info',
]);

const anonymous: User = { name: anonymousName, groups: [unauthenticatedGroup] };

/** Reading a certificate's user is done once per certificate, which the connection keeps. */
const users = new WeakMap<PeerCertificate, User>();

/**
 * The user of the client certificate, else that of the bearer token, else the anonymous user on the few open paths.
 * Throws 401 for a bad token and for a caller without any credential.
 */
export function authenticated(request: Credentials, tokens: Pick<Tokens, 'authenticate'>): User {
  if (request.user) return request.user;
  if (request.peer) return certificateUser(request.peer);
  const token = bearerOf(header(request, 'authorization'));
  if (token === undefined) {
    if (openPaths.has(request.path)) return anonymous;
    throw unauthorized();
  }
  const answer = tokens.authenticate(token);
  // The caller learns that the token is bad, not why: the reason would help an attacker.
  if ('refused' in answer) throw unauthorized();
  return answer.user;
}

/** `Bearer <token>`; any other scheme is as good as no credential. */
function bearerOf(value: string): string | undefined {
  if (value.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  const token = value.slice(7).trim();
  return token === '' || token.includes(' ') ? undefined : token;
}

function certificateUser(peer: PeerCertificate): User {
  const known = users.get(peer);
  if (known) return known;
  const groups = peer.organizations.filter((name) => name !== '' && name !== authenticatedGroup);
  const user: User = {
    name: peer.commonName,
    groups: [...groups, authenticatedGroup],
    ...(peer.raw && {
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${hash('sha256', peer.raw, 'hex')}`] },
    }),
  };
  users.set(peer, user);
  return user;
}
