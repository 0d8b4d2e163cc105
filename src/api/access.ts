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
