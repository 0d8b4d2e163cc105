import { randomUUID } from 'node:crypto';
import { isObject } from '../base/index.ts';
import type { Claims } from './jwt.ts';
import { serviceAccountUser } from './serviceaccount.ts';

/** A reference inside a token: the object must still be this very one. */
export interface TokenReference {
  readonly name: string;
  readonly uid: string;
}

/** The purpose of a token. */
export interface TokenGrant {
  readonly namespace: string;
  readonly serviceAccount: TokenReference;
  readonly audiences: readonly string[];
  readonly seconds: number;
  /** The token dies with this object. */
  readonly boundTo?: { readonly kind: BoundKind } & TokenReference;
}

/** The kinds of objects to which a token can be bound. */
export type BoundKind = 'pod' | 'secret' | 'node';

/** Tokens in Secrets have an issuer of their own, and no end. */
export const secretIssuer = 'kubernetes/serviceaccount';

/** The claims of a requested token. */
export function grantClaims(grant: TokenGrant, now: number): Claims {
  const { namespace, serviceAccount, boundTo } = grant;
  return {
    aud: grant.audiences,
    exp: now + grant.seconds,
    iat: now,
    nbf: now,
    jti: randomUUID(),
    sub: serviceAccountUser(namespace, serviceAccount.name),
    'kubernetes.io': {
      namespace,
      serviceaccount: { name: serviceAccount.name, uid: serviceAccount.uid },
      ...(boundTo && { [boundTo.kind]: { name: boundTo.name, uid: boundTo.uid } }),
    },
  };
}

/** The claims of a token in a Secret are flat; this is the name of one. */
export const secretClaim = (name: string): string => `kubernetes.io/serviceaccount/${name}`;

/** The claims of a token in a Secret. */
export function secretClaims(namespace: string, account: TokenReference, secret: string): Claims {
  return {
    iss: secretIssuer,
    [secretClaim('namespace')]: namespace,
    [secretClaim('secret.name')]: secret,
    [secretClaim('service-account.name')]: account.name,
    [secretClaim('service-account.uid')]: account.uid,
    sub: serviceAccountUser(namespace, account.name),
  };
}

/** The reference in a claim; undefined when the claim has none. */
export function referenceOf(value: unknown): TokenReference | undefined {
  if (!isObject(value)) return undefined;
  const { name, uid } = value;
  return typeof name === 'string' && typeof uid === 'string' && name && uid ? { name, uid } : undefined;
}
