/** The names by which Kubernetes knows service accounts and the groups that everybody belongs to. */

/** The group of every authenticated user. */
export const authenticatedGroup = 'system:authenticated';
/** The group of requests without credentials. */
export const unauthenticatedGroup = 'system:unauthenticated';
/** The group that may do everything. */
export const mastersGroup = 'system:masters';
/** The user of requests without credentials. */
export const anonymousName = 'system:anonymous';

const prefix = 'system:serviceaccount:';
const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const dnsSubdomain = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** `system:serviceaccount:ns:name` */
export function serviceAccountUser(namespace: string, name: string): string {
  return `${prefix}${namespace}:${name}`;
}

/** The groups that a service account of this namespace belongs to, besides `system:authenticated`. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** Namespace and name of the service account that a user name stands for; undefined for any other user. */
export function serviceAccountOf(user: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(prefix)) return undefined;
  const [namespace = '', name = '', ...rest] = user.slice(prefix.length).split(':');
  if (rest.length > 0 || !dnsLabel.test(namespace) || !dnsSubdomain.test(name)) return undefined;
  return { namespace, name };
}
