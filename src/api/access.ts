/** How members may be reached: what the administrator has allowed when the hub was started. */
export interface MemberAccess {
  /** Allows `http://`: the token of the member then goes over the network for all to read. */
  readonly allowInsecure: boolean;
  /** A namespace for credentials of members beside the usual one. */
  readonly secretNamespace?: string;
}

/** Credentials of members stand in this namespace. */
export const memberSecretNamespace = 'karmada-cluster';

/** The group of all agents of Pull members, in certificates. */
export const agentGroup = 'system:karmada:agents';
const agentPrefix = 'system:karmada:agent:';

/** The group of users with a bootstrap token that may register members, as in Karmada. */
export const registrationGroup = 'system:bootstrappers:karmada:default-cluster-token';
/** Bootstrap tokens are Secrets in `kube-system` of this type, as kubeadm makes them. */
export const bootstrapTokenType = 'bootstrap.kubernetes.io/token';
/** On the Secret of a bootstrap token: the one member for which it is. */
export const tokenClusterAnnotation = 'sluice.dev/cluster';
/** The name of the Secret of a bootstrap token. */
export const bootstrapSecretName = (id: string): string => `bootstrap-token-${id}`;
/** The user of a bootstrap token. */
export const bootstrapUserPrefix = 'system:bootstrap:';
/** The signer of certificates for clients of the hub. */
export const clientSigner = 'kubernetes.io/kube-apiserver-client';

/** The user as whom the agent of a member works on the hub. */
export function agentUserOf(member: string): string {
  return `${agentPrefix}${member}`;
}

/** The member whose agent a user is; undefined for every other user. */
export function memberOfAgent(user: string): string | undefined {
  return user.startsWith(agentPrefix) ? user.slice(agentPrefix.length) : undefined;
}

/** Only HTTPS, and only credentials from the usual namespace. */
export const strictAccess: MemberAccess = { allowInsecure: false };

/** Why an address of a member is refused; undefined when it is not. */
export function whyInsecure(endpoint: string, { allowInsecure }: MemberAccess): string | undefined {
  if (allowInsecure || !/^http:/i.test(endpoint)) return undefined;
  return 'must be https://: without TLS anybody on the way could read the token (`sluice up --allow-insecure-members` allows it)';
}

/**
 * The reason why credentials of a member may not come from this namespace; undefined when they may. Otherwise an author
 * of Clusters could have the hub send any Secret of any namespace to an address of their own.
 */
export function whyForeignSecret(namespace: string, { secretNamespace }: MemberAccess): string | undefined {
  if (namespace === memberSecretNamespace || namespace === secretNamespace) return undefined;
  const also = secretNamespace ? ` or ${secretNamespace}` : '';
  return `must be ${memberSecretNamespace}${also}: credentials of members are read from nowhere else`;
}
