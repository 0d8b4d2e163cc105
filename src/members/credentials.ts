import { strictAccess, whyForeignSecret, whyInsecure } from '../api/index.ts';
import type { Cluster, KubeObject, MemberAccess } from '../api/index.ts';
import type { Connection } from '../client/index.ts';

/** The Secret of a member, as far as it is read. */
export interface MemberSecret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Credentials that are missing or invalid, so that a member cannot be reached. */
export class BadCredentials extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadCredentials';
  }
}

const decoded = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');

/** How to reach a member, from its Cluster and its Secret; says which field is wrong when it cannot be reached so. */
export function connectionOf(
  cluster: Cluster,
  secret: MemberSecret | undefined,
  access: MemberAccess = strictAccess,
): Connection {
  const { apiEndpoint, insecureSkipTLSVerification, proxyURL, proxyHeader } = cluster.spec;
  const proxy = proxyURL && { url: proxyURL, ...(proxyHeader && { headers: proxyHeader }) };
  return {
    server: serverOf(apiEndpoint, access),
    ...secretsOf(cluster, secret, access),
    ...(access.allowInsecure && { allowPlainToken: true }),
    ...(insecureSkipTLSVerification && { insecureSkipTLSVerification }),
    ...(proxy && { proxy }),
  };
}

/** The URL of the API; HTTPS goes without saying. */
function serverOf(apiEndpoint: string | undefined, access: MemberAccess): string {
  if (!apiEndpoint) throw new BadCredentials('spec.apiEndpoint is empty: set it to the URL of the member');
  const server = apiEndpoint.includes('://') ? apiEndpoint : `https://${apiEndpoint}`;
  const insecure = whyInsecure(server, access);
  if (insecure) throw new BadCredentials(`spec.apiEndpoint: ${apiEndpoint} ${insecure}`);
  if (/^https?:\/\//i.test(server) && URL.canParse(server)) return server;
  throw new BadCredentials(`spec.apiEndpoint: ${apiEndpoint} is not the address of an API: write https://host:port`);
}

function secretsOf(
  { spec }: Cluster,
  secret: MemberSecret | undefined,
  access: MemberAccess,
): { token: string; caBundle?: string } {
  const { secretRef, insecureSkipTLSVerification } = spec;
  if (!secretRef) throw new BadCredentials('spec.secretRef is empty: name the Secret with token and caBundle');
  const place = `${secretRef.namespace}/${secretRef.name}`;
  const foreign = whyForeignSecret(secretRef.namespace, access);
  if (foreign) throw new BadCredentials(`spec.secretRef.namespace: ${secretRef.namespace} ${foreign}`);
  if (!secret) throw new BadCredentials(`spec.secretRef: Secret ${place} does not exist`);
  const token = tokenOf(secret, place);
  const caBundle = authorityOf(secret, place);
  if (caBundle) return { token, caBundle };
  if (insecureSkipTLSVerification) return { token };
  throw new BadCredentials(`Secret ${place} has no caBundle, and spec.insecureSkipTLSVerification is not set`);
}

function tokenOf({ data }: MemberSecret, place: string): string {
  const token = decoded(data?.['token'])?.trim();
  if (!token) throw new BadCredentials(`Secret ${place} has no token`);
  if (!/^[!-~ ]+$/.test(token)) throw new BadCredentials(`the token in Secret ${place} is not one line of plain text`);
  return token;
}

function authorityOf({ data }: MemberSecret, place: string): string | undefined {
  const caBundle = decoded(data?.['caBundle']);
  if (!caBundle || caBundle.includes('-----BEGIN ')) return caBundle;
  throw new BadCredentials(`the caBundle in Secret ${place} contains no certificate: it must be PEM`);
}

/** Tells whether these are the same credentials. Then nothing has to be rotated. */
export function sameConnection(a: Connection, b: Connection): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
