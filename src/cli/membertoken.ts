import type { KubeObject, OwnerReference } from '../api/index.ts';
import { isNotFound } from '../client/index.ts';
import type { ApiClient } from '../client/index.ts';
import { Failure } from './failure.ts';
import { liveWriter } from './object-writer.ts';
import { pollUntil } from './poll.ts';

/** An account in a member that needs a token. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
  /** Everything that is made for the account goes with this object. */
  readonly owner: OwnerReference;
}

/** A token, and when it ends if that is soon. */
export interface GrantedToken {
  readonly token: string;
  /** RFC 3339; absent for a token that lasts. */
  readonly ends?: string;
}

const second = 1000;
const day = 86_400 * second;
const wantedSeconds = 10 * 365 * 86_400;
/** A token that ends before this would take the member away from the hub while nobody looks. */
const lasting = 365 * day;
const patience = { wait: 10_000, signal: new AbortController().signal };

/**
 * Returns a token for an account: from the TokenRequest API if the cluster grants one that lasts, else from a token Secret,
 * which never ends. A cluster that offers neither gives a token that ends, and the caller has to say so.
 */
export async function fetchToken(member: ApiClient, account: Account): Promise<GrantedToken> {
  const requested = await requestToken(member, account);
  if (requested && Date.parse(requested.ends ?? '') - Date.now() > lasting) return { token: requested.token };
  const token = await secretToken(member, account);
  if (token !== '') return { token };
  if (requested) return requested;
  throw new Failure(
    `the cluster made no token for the account ${account.name}: it has neither the TokenRequest API nor a token controller`,
  );
}

/** Undefined where the cluster has no such API. */
async function requestToken(member: ApiClient, { namespace, name }: Account): Promise<GrantedToken | undefined> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: wantedSeconds },
  };
  try {
    const answer = (await member.raw({ method: 'POST', path, headers, body })).body as TokenAnswer;
    const { token = '', expirationTimestamp: ends = '' } = answer.status ?? {};
    return token === '' ? undefined : { token, ends };
  } catch (error) {
    if (isNotFound(error) || isNotServed(error)) return undefined;
    throw error;
  }
}

interface TokenAnswer {
  readonly status?: { readonly token?: string; readonly expirationTimestamp?: string };
}

const isNotServed = (error: unknown): boolean =>
  [400, 405, 422].includes((error as { readonly status?: { readonly code?: number } }).status?.code ?? 0);

/** The token that the token controller of the cluster writes into a Secret; empty if it does not. */
async function secretToken(member: ApiClient, { namespace, name, owner }: Account): Promise<string> {
  const annotations = { 'kubernetes.io/service-account.name': name };
  await liveWriter(member).put({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { 'karmada.io/system': 'true' }, annotations, ownerReferences: [owner] },
    type: 'kubernetes.io/service-account-token',
  });
  let token = '';
  await pollUntil(patience, async () => (token = await readToken(member, { namespace, name })) !== '');
  return token;
}

async function readToken(
  member: ApiClient,
  place: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const secret = await member.find<KubeObject & { readonly data?: Readonly<Record<string, string>> }>({
    apiVersion: 'v1',
    kind: 'Secret',
    ...place,
  });
  return Buffer.from(secret?.data?.['token'] ?? '', 'base64').toString('utf8');
}
