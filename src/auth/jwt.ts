import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { isObject } from '../base/index.ts';

/** A token that was signed by our key; nothing else is known of it yet. */
export type Claims = Readonly<Record<string, unknown>>;

/** Signs and checks JSON Web Tokens with one key; a token of any other key, algorithm or shape is not ours. */
export interface TokenSigner {
  sign(claims: Claims): string;
  /** The claims if the token is ours, else undefined. */
  open(token: string): Claims | undefined;
}

/** ES256 for a key on P-256, RS256 for an RSA key: the algorithm follows from our key, never from the token. */
export function tokenSigner(privateKey: KeyObject): TokenSigner {
  const publicKey = createPublicKey(privateKey);
  const alg = privateKey.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
  const kid = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  const options = { dsaEncoding: 'ieee-p1363' } as const;
  const head = encode({ alg, kid, typ: 'JWT' });
  return {
    sign(claims) {
      const signed = `${head}.${encode(claims)}`;
      return `${signed}.${sign('sha256', Buffer.from(signed), { key: privateKey, ...options }).toString('base64url')}`;
    },
    open(token) {
      const parts = token.split('.');
      const [header = '', payload = '', signature = ''] = parts;
      if (parts.length !== 3 || !states(decode(header), alg)) return undefined;
      const bytes = Buffer.from(signature, 'base64url');
      // The decoder skips what is not base64url; only the one true spelling of a signature counts.
      if (bytes.toString('base64url') !== signature) return undefined;
      const signed = Buffer.from(`${header}.${payload}`);
      return verify('sha256', signed, { key: publicKey, ...options }, bytes) ? decode(payload) : undefined;
    },
  };
}

/** A header that names our algorithm and demands nothing that we would not understand. */
const states = (header: Claims | undefined, alg: string): boolean =>
  header !== undefined && header['alg'] === alg && header['crit'] === undefined;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function decode(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
