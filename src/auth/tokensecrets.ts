import { hasReason } from '../api/index.ts';
import type { KubeObject, ResourceName, Objects } from '../api/index.ts';
import type { Tokens } from './tokens.ts';
import { Waking } from './waking.ts';
import type { Writer } from './writer.ts';

/** The parts that the filling of Secrets needs. */
export interface TokenSecretsOptions {
  readonly objects: Objects;
  readonly writer: Writer;
  readonly tokens: Pick<Tokens, 'issueForSecret'>;
  /** PEM, for `ca.crt`. */
  readonly certificateAuthority: string;
  readonly onError: (error: unknown) => void;
}

interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

const secrets: ResourceName = { group: '', plural: 'secrets' };
const serviceAccounts: ResourceName = { group: '', plural: 'serviceaccounts' };
const accountName = 'kubernetes.io/service-account.name';
const accountUid = 'kubernetes.io/service-account.uid';

/** Where a Secret of this type stands, and which account it names. */
interface TokenSecret {
  readonly namespace: string;
  readonly name: string;
  readonly account: string;
}

/**
 * Fills Secrets of type service-account-token with token, ca.crt and namespace, and removes those whose account is gone.
 * Level-triggered: an account wakes the Secrets that name it when it comes, goes or is replaced.
 */
export function startTokenSecrets(options: TokenSecretsOptions): Waking {
  const { objects, onError } = options;
  const known = new Map<string, TokenSecret>();
  const due = new Set<string>();
  const loop = new Waking({ work: () => settleAll(options, known, due), onError, onStop: () => stops.forEach(call) });
  const stops = [
    objects.follow(secrets, ({ before, after }) => {
      const { namespace = '', name } = (after ?? before ?? noObject).metadata;
      const key = `${namespace}/${name}`;
      known.delete(key);
      if (!after || !isTokenSecret(after)) return;
      known.set(key, { namespace, name, account: after.metadata.annotations?.[accountName] ?? '' });
      due.add(key);
      loop.wake();
    }),
    objects.follow(serviceAccounts, ({ before, after }) => {
      const { namespace, name } = (after ?? before ?? noObject).metadata;
      if (before?.metadata.uid === after?.metadata.uid) return;
      for (const [key, place] of known) if (place.account === name && place.namespace === namespace) due.add(key);
      loop.wake();
    }),
  ];
  return loop;
}

const noObject: KubeObject = { apiVersion: '', kind: '', metadata: { name: '' } };
const call = (stop: () => void): void => stop();

async function settleAll(
  options: TokenSecretsOptions,
  known: ReadonlyMap<string, TokenSecret>,
  due: Set<string>,
): Promise<void> {
  for (const key of due) {
    // Before the work, not after it: what changes meanwhile makes the key due again.
    due.delete(key);
    const place = known.get(key);
    if (!place) continue;
    try {
      await settle(options, place);
    } catch (error) {
      due.add(key);
      throw error;
    }
  }
}

const isTokenSecret = (object: Secret): boolean =>
  object.type === 'kubernetes.io/service-account-token' && Boolean(object.metadata.annotations?.[accountName]);

async function settle(options: TokenSecretsOptions, { namespace, name, account }: TokenSecret): Promise<void> {
  const secret: Secret | undefined = options.objects.get(secrets, namespace, name);
  if (!secret || secret.metadata.deletionTimestamp) return;
  const owner = options.objects.get(serviceAccounts, namespace, account);
  try {
    if (!owner || isOfAnother(secret, owner)) await options.writer.remove(secrets, secret);
    else if (!isFilled(secret)) await options.writer.replace(secrets, filled(options, secret, owner));
  } catch (error) {
    // Somebody else was faster; their change has woken us again.
    if (!hasReason(error, 'Conflict') && !hasReason(error, 'NotFound')) throw error;
  }
}

/** True for a token of an account that was deleted and created again under its name. */
function isOfAnother(secret: Secret, owner: KubeObject): boolean {
  const uid = secret.metadata.annotations?.[accountUid];
  return Boolean(uid) && uid !== owner.metadata.uid;
}

const isFilled = ({ data, metadata }: Secret): boolean =>
  Boolean(data?.['token'] && data['ca.crt'] && data['namespace'] && metadata.annotations?.[accountUid]);

function filled(options: TokenSecretsOptions, secret: Secret, account: KubeObject): Secret {
  const { name, namespace = '' } = secret.metadata;
  const uid = account.metadata.uid ?? '';
  const token = (): string => options.tokens.issueForSecret(namespace, { name: account.metadata.name, uid }, name);
  return {
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...secret.metadata.annotations, [accountUid]: uid } },
    data: {
      ...secret.data,
      token: secret.data?.['token'] || base64(token()),
      'ca.crt': secret.data?.['ca.crt'] || base64(options.certificateAuthority),
      namespace: secret.data?.['namespace'] || base64(namespace),
    },
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
