import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { clientSigner, forbidden, hasReason } from '../api/index.ts';
import type { KubeObject, Objects, ResourceName, User } from '../api/index.ts';
import { parseCertificationRequest, timestamp } from '../base/index.ts';
import type { CertificationRequest } from '../base/index.ts';
import type { Authority } from './authority.ts';
import type { Rbac } from './rbac.ts';
import { mastersGroup } from './serviceaccount.ts';
import { Waking } from './waking.ts';
import type { Writer } from './writer.ts';

/** A request for a certificate, as it is stored. */
export interface SigningRequest extends KubeObject {
  readonly spec?: {
    readonly request?: string;
    readonly signerName?: string;
    readonly usages?: readonly string[];
    readonly expirationSeconds?: number;
    readonly username?: string;
    readonly groups?: readonly string[];
  };
  readonly status?: {
    readonly certificate?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status?: string;
      readonly [field: string]: unknown;
    }[];
  };
}

/** The parts that signing needs. */
export interface SigningOptions {
  readonly objects: Objects;
  readonly writer: Pick<Writer, 'replaceStatus' | 'remove'>;
  readonly authority: Pick<Authority, 'signClient'>;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

const requests: ResourceName = { group: 'certificates.k8s.io', plural: 'certificatesigningrequests' };
const year = 365 * 24 * 3600;
const shortest = 600;
const hour = 3_600_000;
const allowedUsages: ReadonlySet<string> = new Set(['digital signature', 'key encipherment', 'client auth']);

/** Digests of the signatures that requests carry, by object identifier; null where the key's type says it. */
const digests: Readonly<Record<string, string | null>> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.3.101.112': null,
};

/**
 * Signs approved requests for client certificates of this hub, and removes old ones: issued and denied ones after an hour, those
 * that nobody decided after a day, as Kubernetes does.
 * Guarantees: nothing is signed that was not approved; the key of the subject has signed the request.
 */
export function startSigning(options: SigningOptions): Waking {
  const { objects, onError } = options;
  const known = new Map<string, SigningRequest>();
  const loop = new Waking({
    work: () => settleAll(options, known),
    onError,
    onStop: () => stops.forEach((stop) => stop()),
  });
  const timer = setInterval(() => loop.wake(), hour / 6).unref();
  const stops = [
    () => clearInterval(timer),
    objects.follow(requests, ({ before, after }) => {
      const { name } = (after ?? before ?? { metadata: { name: '' } }).metadata;
      if (after) known.set(name, after);
      else known.delete(name);
      loop.wake();
    }),
  ];
  return loop;
}

async function settleAll(options: SigningOptions, known: ReadonlyMap<string, SigningRequest>): Promise<void> {
  for (const request of known.values()) {
    try {
      await settle(options, request);
    } catch (error) {
      // Somebody else has changed or removed it: that wakes the loop again.
      if (!hasReason(error, 'Conflict') && !hasReason(error, 'NotFound')) throw error;
    }
  }
}

async function settle({ writer, authority, now }: SigningOptions, request: SigningRequest): Promise<void> {
  if (isOld(request, now())) return writer.remove(requests, request);
  const { spec = {}, status = {} } = request;
  if (spec.signerName !== clientSigner || !isDue(request)) return;
  const answer = signed(authority, spec);
  const wanted =
    'certificate' in answer
      ? { ...status, certificate: base64(answer.certificate) }
      : { ...status, conditions: [...(status.conditions ?? []), failedCondition(answer.failure, timestamp(now()))] };
  await writer.replaceStatus(requests, { ...request, status: wanted } as KubeObject);
}

/** Is it approved, and nothing issued or refused yet? */
function isDue(request: SigningRequest): boolean {
  const isOver = Boolean(request.status?.certificate) || stateOf(request, 'Denied') || stateOf(request, 'Failed');
  return stateOf(request, 'Approved') && !isOver;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const stateOf = ({ status }: SigningRequest, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type) === true;

function isOld(request: SigningRequest, now: number): boolean {
  const age = now - Date.parse(request.metadata.creationTimestamp ?? '');
  const isDecided = Boolean(request.status?.certificate) || stateOf(request, 'Denied') || stateOf(request, 'Failed');
  return age > (isDecided ? hour : 24 * hour);
}

function failedCondition(message: string, now: string): object {
  const times = { lastUpdateTime: now, lastTransitionTime: now };
  return { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message, ...times };
}

type Signed = { readonly certificate: string } | { readonly failure: string };

function signed(authority: SigningOptions['authority'], spec: NonNullable<SigningRequest['spec']>): Signed {
  try {
    const asked = requestIn(spec.request ?? '');
    const key = provenKey(asked);
    const why = whyRefused(asked, spec.usages ?? []);
    if (why) return { failure: why };
    const seconds = Math.min(Math.max(spec.expirationSeconds ?? year, shortest), year);
    const subject = { commonName: asked.commonNames[0] ?? '', organizations: asked.organizations };
    return { certificate: authority.signClient(subject, key, seconds) };
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

/** The request in the PEM of `spec.request`, which is base64. */
export function requestIn(text: string): CertificationRequest {
  const pem = Buffer.from(text, 'base64').toString('latin1');
  const [, body = ''] = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([^-]+)-----END/.exec(pem) ?? [];
  return parseCertificationRequest(Buffer.from(body, 'base64'));
}

function provenKey({ publicKey, signed: bytes, signature, algorithm }: CertificationRequest): KeyObject {
  const digest = digests[algorithm];
  if (digest === undefined) throw new Error(`the signature algorithm ${algorithm} is not supported`);
  const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
  if (!verify(digest, bytes, key, signature)) throw new Error('the signature of the request is not of its key');
  return key;
}

function whyRefused({ commonNames, otherNames }: CertificationRequest, usages: readonly string[]): string | undefined {
  if (commonNames.length !== 1 || !commonNames[0]) return 'the subject must have one common name';
  if (otherNames.length > 0) return 'the subject may have organizations and a common name, and nothing else';
  const unknown = usages.filter((usage) => !allowedUsages.has(usage));
  if (unknown.length > 0) return `certificates of this signer are not for: ${unknown.join(', ')}`;
  return usages.includes('client auth') ? undefined : 'certificates of this signer are for client auth';
}

/** A write of a request for a certificate. */
export interface SigningReview {
  readonly operation: string;
  readonly subresource: string;
  readonly user: User;
  readonly object?: KubeObject | undefined;
}

/**
 * Refuses what RBAC on the kind alone would let pass: a certificate that makes its owner an administrator, and an approval or a
 * certificate by a user who has no right on the signer.
 */
export function refuseSigning(rbac: Pick<Rbac, 'decide'>, review: SigningReview): void {
  const { operation, subresource, user } = review;
  const request: SigningRequest | undefined = review.object;
  const signer = request?.spec?.signerName ?? '';
  const refuse = (why: string): Error => forbidden(requests, request?.metadata.name ?? '', why);
  if (operation === 'CREATE' && signer === clientSigner && mayBeMaster(request))
    throw refuse(`use of ${signer} signer with ${mastersGroup} group is not allowed`);
  const verb = operation === 'UPDATE' ? verbs[subresource] : undefined;
  if (verb === undefined || mayUse(rbac, user, { verb, signer })) return;
  throw refuse(`user not permitted to ${verb} requests with signerName ${JSON.stringify(signer)}`);
}

/** A right on all signers of a domain is named `example.com/*`. */
function mayUse(
  rbac: Pick<Rbac, 'decide'>,
  user: User,
  { verb, signer }: { readonly verb: string; readonly signer: string },
): boolean {
  const on = { verb, group: requests.group, resource: 'signers', subresource: '', namespace: '' };
  return [signer, `${signer.split('/')[0]}/*`].some((name) => rbac.decide(user, { ...on, name }).allowed);
}

const verbs: Readonly<Record<string, string | undefined>> = { approval: 'approve', status: 'sign' };

function mayBeMaster(request: SigningRequest | undefined): boolean {
  try {
    return requestIn(request?.spec?.request ?? '').organizations.includes(mastersGroup);
  } catch {
    return false;
  }
}
