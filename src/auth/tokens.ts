import { hash, type KeyObject } from 'node:crypto';
import type { Objects } from '../api/index.ts';
import { bootstrapTokenOf, bootstrapUser } from './bootstraptoken.ts';
import { tokenSigner } from './jwt.ts';
import type { Claims } from './jwt.ts';
import { checkBoundToken, checkSecretToken } from './tokencheck.ts';
import type { TokenAnswer } from './tokencheck.ts';
import { grantClaims, secretClaims, secretIssuer } from './tokenclaims.ts';
import type { TokenGrant, TokenReference } from './tokenclaims.ts';

/** Issues the tokens of service accounts and tells whose a token is. */
export interface Tokens {
  /** The audiences of this API. */
  readonly audiences: readonly string[];
  issue(grant: TokenGrant): string;
  /** The token in a Secret of type service-account-token; it lives as long as the Secret. */
  issueForSecret(namespace: string, serviceAccount: TokenReference, secret: string): string;
  authenticate(token: string, audiences?: readonly string[]): TokenAnswer;
}

/** The parts that the tokens of a hub need. */
export interface TokensOptions {
  readonly key: KeyObject;
  readonly objects: Pick<Objects, 'get'>;
  readonly issuer?: string;
  readonly audiences?: readonly string[];
  readonly now?: () => number;
}

/** The default issuer of tokens: the same as in Kubernetes. */
export const defaultIssuer = 'https://kubernetes.default.svc.cluster.local';

/** Larger than any token we issue, and small enough that garbage costs nothing. */
const longestToken = 16 * 1024;

/** How many checked tokens are remembered; a signature costs a hundred microseconds, remembering one costs two. */
const cacheSize = 4096;

/** The tokens of one hub. */
export function openTokens(options: TokensOptions): Tokens {
  const issuer = options.issuer ?? defaultIssuer;
  const audiences = options.audiences ?? [issuer];
  const now = options.now ?? Date.now;
  const signer = tokenSigner(options.key);
  const opened = new Map<string, Claims>();
  const claimsOf = (token: string): Claims | undefined => {
    if (token.length > longestToken) return undefined;
    const digest = hash('sha256', token, 'latin1');
    const known = opened.get(digest);
    if (known) return known;
    const claims = signer.open(token);
    if (claims) remember(opened, digest, claims);
    return claims;
  };
  const seconds = (): number => Math.floor(now() / 1000);
  return {
    audiences,
    issue: (grant) => signer.sign({ ...grantClaims(grant, seconds()), iss: issuer }),
    issueForSecret: (namespace, account, secret) => signer.sign(secretClaims(namespace, account, secret)),
    authenticate(token, wanted = audiences) {
      if (bootstrapTokenOf(token)) {
        const user = bootstrapUser(options.objects, token, now());
        return user ? { user, audiences: wanted } : { refused: 'invalid bearer token' };
      }
      const claims = claimsOf(token);
      if (!claims) return { refused: 'invalid bearer token' };
      const check = { claims, objects: options.objects, now: seconds(), token, wanted };
      if (claims['iss'] === secretIssuer) return checkSecretToken(check, audiences);
      if (claims['iss'] === issuer) return checkBoundToken(check);
      return { refused: 'invalid bearer token' };
    },
  };
}

/** Only tokens of our own are remembered, so that nobody can push them out with garbage. */
function remember(opened: Map<string, Claims>, digest: string, claims: Claims): void {
  opened.set(digest, claims);
  if (opened.size <= cacheSize) return;
  const oldest = opened.keys().next().value;
  if (oldest !== undefined) opened.delete(oldest);
}
