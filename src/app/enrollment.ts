import { createHash, createHmac, createPublicKey, timingSafeEqual, X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentGroup, agentUserOf, clientSigner } from '../api/index.ts';
import type { KubeObject } from '../api/index.ts';
import { certificateRequest, generateKey, keyText, writeKubeconfig } from '../auth/index.ts';
import type { KeyPair, KubeconfigUser, Subject } from '../auth/index.ts';
import { isObject } from '../base/index.ts';
import { ApiClient, discover, HttpsTransport, parseKubeconfig, resourcesOf } from '../client/index.ts';
import type { Connection, Discovered } from '../client/index.ts';
import { SetupError } from './config.ts';

const requestKind = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' } as const;
const infoPath = '/api/v1/namespaces/kube-public/configmaps/cluster-info';

/** The way to a hub that a bootstrap token opens. */
export interface Invitation {
  /** `host:port` */
  readonly endpoint: string;
  readonly token: string;
  /** `sha256:<hex>` of public keys of the authority; one must match. Empty only when the user has said that any will do. */
  readonly hashes: readonly string[];
}

/** The hash by which a bootstrap command pins the authority of a hub. */
export function authorityHash(certificate: string): string {
  const key = createPublicKey(certificate).export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

/** The signature of `cluster-info` by a bootstrap token: a JWS without its payload, as kubeadm reads it. */
export function infoSignature(kubeconfig: string, token: string): string {
  const [id = '', secret = ''] = token.split('.');
  const head = encoded(JSON.stringify({ alg: 'HS256', kid: id }));
  const mac = createHmac('sha256', secret)
    .update(`${head}.${encoded(kubeconfig)}`)
    .digest('base64url');
  return `${head}..${mac}`;
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

/**
 * Finds out whom to trust as the hub: `cluster-info` is read from a server that nobody vouches for, so it counts only when the
 * token has signed it and the authority in it is the pinned one.
 */
export async function discoverHub({ endpoint, token, hashes }: Invitation): Promise<Connection> {
  const server = endpoint.startsWith('https://') ? endpoint : `https://${endpoint}`;
  const unknown = clientOf({ server, insecureSkipTLSVerification: true });
  try {
    const { body } = await unknown.raw({ method: 'GET', path: infoPath });
    return { server, caBundle: trustedAuthority(body, { token, hashes }) };
  } finally {
    await unknown.close();
  }
}

function trustedAuthority(info: unknown, { token, hashes }: Pick<Invitation, 'token' | 'hashes'>): string {
  const data = isObject(info) && isObject(info['data']) ? info['data'] : {};
  const [kubeconfig, shown] = [data['kubeconfig'], data[`jws-kubeconfig-${token.split('.')[0]}`]];
  if (typeof kubeconfig !== 'string' || typeof shown !== 'string')
    throw new SetupError(
      'the hub does not know this token: it may have expired; make a new one with `sluice token create`',
    );
  const wanted = Buffer.from(infoSignature(kubeconfig, token));
  const given = Buffer.from(shown);
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given))
    throw new SetupError('the hub did not sign its address with this token: it is another hub, or the token is wrong');
  return pinned(authorityIn(kubeconfig), hashes);
}

function authorityIn(kubeconfig: string): string {
  const [cluster] = parseKubeconfig([{ file: 'cluster-info', text: kubeconfig }]).clusters.values();
  const authority = cluster?.fields['certificate-authority-data'];
  return Buffer.from(typeof authority === 'string' ? authority : '', 'base64').toString('utf8');
}

function pinned(authority: string, hashes: readonly string[]): string {
  if (hashes.length > 0 && !hashes.includes(authorityHash(authority)))
    throw new SetupError('the authority of the hub is not the pinned one: check --discovery-token-ca-cert-hash');
  return authority;
}

function clientOf(connection: Connection): ApiClient {
  return new ApiClient({ transport: new HttpsTransport(connection), resources: () => resourcesOf([]) });
}

/** A certificate to ask for. */
export interface Wanted {
  readonly member: string;
  /** How long it should last. */
  readonly seconds: number;
  readonly waitMilliseconds: number;
  /** Called when the certificate waits for a person. */
  readonly onWait?: (request: string) => void;
}

/** Asks the hub for a certificate of the agent of a member, with a fresh key that never leaves this process but for its file. */
export function obtainCertificate(hub: Connection, { member, seconds, ...waiting }: Wanted): Promise<KeyPair> {
  const subject = { commonName: agentUserOf(member), organizations: [agentGroup] };
  return certified(hub, { subject, prefix: member, seconds, ...waiting });
}

/** The same for a person, approved at once by the user who asks: an administrator makes it for somebody else. */
export function obtainUserCertificate(hub: Connection, subject: Subject, seconds: number): Promise<KeyPair> {
  return certified(hub, { subject, prefix: 'user', seconds, waitMilliseconds: 60_000, approves: true });
}

interface Certified extends Omit<Wanted, 'member'> {
  readonly subject: Subject;
  /** The start of the name of the request. */
  readonly prefix: string;
  /** The user who asks approves the request, too. */
  readonly approves?: boolean;
}

async function certified(hub: Connection, wanted: Certified): Promise<KeyPair> {
  const key = generateKey();
  let served: Discovered = { kinds: [], byKind: () => undefined, incomplete: [] };
  const client = new ApiClient({ transport: new HttpsTransport(hub), resources: () => served });
  try {
    served = await discover(client);
    const made = await client.create(requestObject(wanted, certificateRequest(wanted.subject, key)));
    if (wanted.approves) await approve(client, made);
    const certificate = await issued(client, made.metadata.name, wanted);
    return { certificate, key: keyText(key) };
  } finally {
    await client.close();
  }
}

async function approve(client: ApiClient, request: KubeObject): Promise<void> {
  const message = 'approved by the user who asked for it';
  const conditions = [{ type: 'Approved', status: 'True', reason: 'UserCreated', message }];
  await client.update({ ...request, status: { conditions } } as KubeObject, { subresource: 'approval' });
}

function requestObject({ prefix, seconds }: Certified, request: string): KubeObject {
  const spec = {
    request: Buffer.from(request).toString('base64'),
    signerName: clientSigner,
    expirationSeconds: seconds,
    usages: ['digital signature', 'key encipherment', 'client auth'],
  };
  const metadata = { generateName: `${prefix}-`, labels: { 'karmada.io/system': 'true' }, name: '' };
  return { ...requestKind, metadata, spec } as KubeObject;
}

async function issued(client: ApiClient, name: string, { waitMilliseconds, onWait }: Certified): Promise<string> {
  const begin = Date.now();
  const later = (milliseconds: number): boolean => Date.now() - begin > milliseconds;
  let tell = onWait;
  while (!later(waitMilliseconds)) {
    const { status } = await client.get<KubeObject & { readonly status?: Fields }>({ ...requestKind, name });
    const certificate = certificateIn(status);
    if (certificate !== undefined) return certificate;
    if (later(usualMilliseconds)) {
      tell?.(name);
      tell = undefined;
    }
    // The other timers do not keep a command alive that waits for nothing else.
    await sleep(200);
  }
  throw new SetupError(`the hub did not approve the certificate: \`kubectl certificate approve ${name}\``);
}

/** A hub that approves by itself has done it by then. */
const usualMilliseconds = 3_000;

function certificateIn(status: Fields | undefined): string | undefined {
  if (status?.certificate) return Buffer.from(status.certificate, 'base64').toString('utf8');
  const refusal = status?.conditions?.find(({ type }) => type === 'Denied' || type === 'Failed');
  if (refusal) throw new SetupError(`the hub issued no certificate: ${refusal.message ?? refusal.type}`);
  return undefined;
}

interface Fields {
  readonly certificate?: string;
  readonly conditions?: readonly { readonly type: string; readonly message?: string }[];
}

/** Writes a kubeconfig for an agent or a user of the hub, for its owner alone. */
export function writeUserKubeconfig(
  file: string,
  { server, caBundle = '' }: Connection,
  user: KubeconfigUser,
): Promise<void> {
  return writeKubeconfig(file, [{ name: 'sluice', server, certificateAuthority: caBundle, user }]);
}

/** The share of its life after which a certificate is replaced. */
const spentShare = 0.7;

/** Tells whether a certificate nears its end. */
export function isSpent(certificate: string, now: number): boolean {
  const { validFromDate, validToDate } = new X509Certificate(certificate);
  const [from, to] = [validFromDate.getTime(), validToDate.getTime()];
  return now - from > (to - from) * spentShare;
}
