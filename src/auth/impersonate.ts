import { badRequest } from '../api/index.ts';
import type { User } from '../api/index.ts';
import type { ResourceAttributes } from './attributes.ts';
import { authorize } from './authorize.ts';
import type { Credentials } from './credentials.ts';
import type { Rbac } from './rbac.ts';
import {
  anonymousName,
  authenticatedGroup,
  serviceAccountGroups,
  serviceAccountOf,
  unauthenticatedGroup,
} from './serviceaccount.ts';

const prefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';
const authentication = 'authentication.k8s.io';

/**
 * Every value of the impersonation headers that occur more than once, from the raw headers of a request; undefined if none does.
 * A group may contain a comma, so the joined text that Node.js offers cannot be taken apart again.
 */
export function repeatedHeaders(raw: readonly string[]): Readonly<Record<string, readonly string[]>> | undefined {
  let found: Map<string, string[]> | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    if (!name.startsWith(prefix)) continue;
    found ??= new Map();
    found.set(name, [...(found.get(name) ?? []), raw[i + 1] ?? '']);
  }
  const repeated = [...(found ?? [])].filter(([, values]) => values.length > 1);
  return repeated.length > 0 ? Object.fromEntries(repeated) : undefined;
}

/** The user that a caller wants to act as. */
interface Wanted {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** The user to act as: the caller, or whom they impersonate and may. Throws 403 when they may not, 400 when it makes no sense. */
export function impersonated(request: Credentials, caller: User, rbac: Pick<Rbac, 'decide'>): User {
  const wanted = wantedOf(request);
  if (!wanted) return caller;
  for (const attributes of attributesOfWanted(wanted)) authorize(rbac, caller, attributes);
  const user: User = {
    name: wanted.name,
    groups: groupsOf(wanted),
    ...(wanted.uid && { uid: wanted.uid }),
    ...(wanted.extra.size > 0 && { extra: Object.fromEntries(wanted.extra) }),
  };
  impersonators.set(user, caller);
  return user;
}

const impersonators = new WeakMap<User, User>();

/** The caller behind an impersonated user, for the audit log; undefined for everybody else. */
export function impersonatorOf(user: User): User | undefined {
  return impersonators.get(user);
}

function wantedOf(request: Credentials): Wanted | undefined {
  const names = Object.keys(request.headers).filter((name) => name.startsWith(prefix));
  if (names.length === 0) return undefined;
  const values = (name: string): readonly string[] =>
    request.repeated?.[name] ?? (request.headers[name] === undefined ? [] : [request.headers[name]]);
  const extra = new Map<string, readonly string[]>();
  for (const name of names) {
    if (!name.startsWith(extraPrefix)) continue;
    const key = unescaped(name.slice(extraPrefix.length));
    extra.set(key, [...(extra.get(key) ?? []), ...values(name)]);
  }
  const wanted = {
    name: single(values('impersonate-user'), 'Impersonate-User'),
    uid: single(values('impersonate-uid'), 'Impersonate-Uid'),
    groups: values('impersonate-group'),
    extra,
  };
  if (wanted.name) return wanted;
  // Without the user the rest must not be dropped in silence: the caller would act with all rights, believing to have few.
  throw badRequest('requested impersonation of a group, a uid or extra without impersonating a user');
}

function single(values: readonly string[], name: string): string {
  if (values.length > 1) throw badRequest(`${name} must not be given more than once`);
  return values[0] ?? '';
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** Everything that the caller must be allowed to take on, one question each. */
function* attributesOfWanted(wanted: Wanted): Generator<ResourceAttributes> {
  const base = { verb: 'impersonate', group: '', subresource: '', namespace: '' };
  const account = serviceAccountOf(wanted.name);
  if (account) yield { ...base, resource: 'serviceaccounts', ...account };
  else yield { ...base, resource: 'users', name: wanted.name };
  for (const name of wanted.groups) yield { ...base, resource: 'groups', name };
  for (const [subresource, values] of wanted.extra)
    for (const name of values) yield { ...base, group: authentication, resource: 'userextras', subresource, name };
  if (wanted.uid) yield { ...base, group: authentication, resource: 'uids', name: wanted.uid };
}

function groupsOf({ name, groups }: Wanted): readonly string[] {
  const account = serviceAccountOf(name);
  const own = groups.length === 0 && account ? serviceAccountGroups(account.namespace) : groups;
  if (own.includes(unauthenticatedGroup)) return own;
  if (name === anonymousName) return [...own, unauthenticatedGroup];
  return own.includes(authenticatedGroup) ? own : [...own, authenticatedGroup];
}
