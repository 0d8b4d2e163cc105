import { timingSafeEqual } from 'node:crypto';
import type { KubeObject, Objects, ResourceName, User } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import type { Claims } from './jwt.ts';
import { authenticatedGroup, serviceAccountGroups, serviceAccountUser } from './serviceaccount.ts';
import { referenceOf, secretClaim } from './tokenclaims.ts';
import type { TokenReference } from './tokenclaims.ts';

/** The user and the audiences of a token; or why it is refused. */
export type TokenAnswer = { readonly user: User; readonly audiences: readonly string[] } | { readonly refused: string };

const core = (plural: string): ResourceName => ({ group: '', plural });
const serviceAccounts = core('serviceaccounts');
const secrets = core('secrets');
const boundResources = { pod: core('pods'), secret: secrets, node: core('nodes') } as const;
const boundKinds = ['pod', 'secret', 'node'] as const;

/** A token whose signature is ours, and what to hold it against. */
export interface TokenCheck {
  readonly claims: Claims;
  readonly objects: Pick<Objects, 'get'>;
  readonly now: number;
  readonly token: string;
  /** The audiences that the token should be for. */
  readonly wanted: readonly string[];
}

/**
 * Tells whether a token from a TokenRequest is valid: in time, for this audience, and all that it names still exists.
 */
export function checkBoundToken(check: TokenCheck): TokenAnswer {
  const { claims, objects, wanted } = check;
  const audiences = strings(claims['aud']).filter((audience) => wanted.includes(audience));
  const late = outOfTime(check) ?? (audiences.length === 0 ? wrongAudience(check) : undefined);
  if (late) return { refused: late };
  const about = isObject(claims['kubernetes.io']) ? claims['kubernetes.io'] : {};
  const namespace = textOf(about['namespace']);
  const account = referenceOf(about['serviceaccount']);
  if (!account || claims['sub'] !== serviceAccountUser(namespace, account.name)) return { refused: badSubject };
  const dead = deadAccount(objects, namespace, account) ?? deadBinding(objects, namespace, about);
  if (dead) return { refused: dead };
  return { audiences, user: userOfClaims(claims, () => userOf(namespace, account, extraOf(claims, about))) };
}

const badSubject = 'sub claim is invalid';

function outOfTime({ claims: { exp, nbf }, now }: TokenCheck): string | undefined {
  if (typeof exp !== 'number' || now >= exp) return 'service account token has expired';
  return typeof nbf === 'number' && now >= nbf ? undefined : 'service account token is not valid yet';
}

const wrongAudience = ({ claims, wanted }: TokenCheck): string =>
  `token audiences ${quoted(strings(claims['aud']))} is invalid for the target audiences ${quoted(wanted)}`;

function extraOf(claims: Claims, about: Claims): Readonly<Record<string, string[]>> {
  const pod = referenceOf(about['pod']);
  return {
    ...(typeof claims['jti'] === 'string' && {
      'authentication.kubernetes.io/credential-id': [`JTI=${claims['jti']}`],
    }),
    ...(pod && {
      'authentication.kubernetes.io/pod-name': [pod.name],
      'authentication.kubernetes.io/pod-uid': [pod.uid],
    }),
  };
}

function deadAccount(objects: Pick<Objects, 'get'>, namespace: string, account: TokenReference): string | undefined {
  const live = objects.get(serviceAccounts, namespace, account.name);
  if (!live) return `serviceaccounts "${account.name}" not found`;
  if (live.metadata.uid !== account.uid)
    return `service account UID (${live.metadata.uid}) does not match claim (${account.uid})`;
  if (live.metadata.deletionTimestamp) return `service account ${namespace}/${account.name} has been deleted`;
  return undefined;
}

function deadBinding(objects: Pick<Objects, 'get'>, namespace: string, about: Claims): string | undefined {
  for (const kind of boundKinds) {
    if (about[kind] === undefined) continue;
    const bound = referenceOf(about[kind]);
    // The node of a pod is told for information; such a token is bound to the pod alone.
    if (kind === 'node' && about['pod'] !== undefined) continue;
    const live = bound && objects.get(boundResources[kind], kind === 'node' ? '' : namespace, bound.name);
    if (!isAlive(live) || live.metadata.uid !== bound?.uid) return 'service account token has been invalidated';
  }
  return undefined;
}

const isAlive = (object: KubeObject | undefined): object is KubeObject =>
  object !== undefined && !object.metadata.deletionTimestamp;

/**
 * Tells whether a token from a Secret is valid: the Secret still has it, and its service account is the same. `ours`
 * are the audiences of this API.
 */
export function checkSecretToken(check: TokenCheck, ours: readonly string[]): TokenAnswer {
  const { claims, objects, wanted } = check;
  const namespace = textOf(claims[secretClaim('namespace')]);
  const account = referenceOf({
    name: claims[secretClaim('service-account.name')],
    uid: claims[secretClaim('service-account.uid')],
  });
  if (!account || claims['sub'] !== serviceAccountUser(namespace, account.name)) return { refused: badSubject };
  // Such tokens name no audience: they are meant for this API and for nobody else.
  const audiences = ours.filter((audience) => wanted.includes(audience));
  if (audiences.length === 0) return { refused: 'token is invalid for the target audiences' };
  const secret = objects.get(secrets, namespace, textOf(claims[secretClaim('secret.name')]));
  if (!isAlive(secret)) return { refused: 'Token has been invalidated' };
  if (!containsToken(secret, check.token)) return { refused: "Token does not match server's copy" };
  const dead = deadAccount(objects, namespace, account);
  if (dead) return { refused: dead };
  return { audiences, user: userOfClaims(claims, () => userOf(namespace, account)) };
}

function containsToken(secret: KubeObject, token: string): boolean {
  const { type, data } = secret as KubeObject & { readonly type?: unknown; readonly data?: unknown };
  if (type !== 'kubernetes.io/service-account-token' || !isObject(data)) return false;
  const kept = Buffer.from(textOf(data['token']), 'base64');
  const shown = Buffer.from(token);
  return kept.length === shown.length && timingSafeEqual(kept, shown);
}

/** The user of a token follows from its claims alone, which are remembered; only its validity must be checked again. */
const knownUsers = new WeakMap<Claims, User>();

function userOfClaims(claims: Claims, make: () => User): User {
  const known = knownUsers.get(claims);
  if (known) return known;
  const user = make();
  knownUsers.set(claims, user);
  return user;
}

function userOf(namespace: string, account: TokenReference, extra: Readonly<Record<string, string[]>> = {}): User {
  return {
    name: serviceAccountUser(namespace, account.name),
    uid: account.uid,
    groups: [...serviceAccountGroups(namespace), authenticatedGroup],
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One audience may stand as a bare string. */
const strings = (value: unknown): readonly string[] =>
  [value].flat().filter((item): item is string => typeof item === 'string');

const quoted = (values: readonly string[]): string => `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
