import { impersonator, impersonatorRole, refOf } from '../api/index.ts';
import type { ApiClient } from '../client/index.ts';

/**
 * Gives the impersonator of a member its role where the account has none: other programs that join clusters make the account
 * alone. A role that is there stays as it is, so that the owner of the member may narrow it. Resolves to false where the
 * member has no such account.
 */
export async function ensureImpersonatorRole(member: ApiClient): Promise<boolean> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', ...impersonator };
  if (!(await member.find(account))) return false;
  for (const object of impersonatorRole(impersonator, { 'karmada.io/system': 'true' }))
    if (!(await member.find(refOf(object)))) await member.create(object);
  return true;
}
