import { forbidden } from '../api/index.ts';
import type { User } from '../api/index.ts';
import { isResourceRequest, refusalOf } from './attributes.ts';
import type { Attributes, ResourceAttributes } from './attributes.ts';
import type { Rbac } from './rbac.ts';

/** Throws 403 unless RBAC allows it. */
export function authorize(rbac: Pick<Rbac, 'decide'>, user: User, attributes: Attributes): void {
  const decision = rbac.decide(user, attributes);
  if (decision.allowed) return;
  const resource = isResourceRequest(attributes)
    ? { group: attributes.group, plural: attributes.resource }
    : { group: '', plural: '' };
  const name = isResourceRequest(attributes) ? attributes.name : '';
  const because = decision.reason ? `: ${decision.reason}` : '';
  throw forbidden(resource, name, `${refusalOf(user.name, attributes)}${because}`);
}

/** Throws 403 unless RBAC allows the request, and what the answer may carry. */
export function authorizeRequest(rbac: Pick<Rbac, 'decide'>, user: User, attributes: Attributes): void {
  authorize(rbac, user, attributes);
  if (isResourceRequest(attributes) && mayShowSecrets(attributes)) demandSecrets(rbac, user, attributes);
}

/**
 * A Work carries its object whole, and the Works of a member those of all namespaces. Every answer about Works may
 * contain a Secret: reads, and writes that answer with the stored object. A creation answers with what its author
 * wrote.
 */
function mayShowSecrets({ group, resource, verb }: ResourceAttributes): boolean {
  return resource === 'works' && group === 'work.karmada.io' && verb !== 'create';
}

function demandSecrets(rbac: Pick<Rbac, 'decide'>, user: User, { namespace, name }: ResourceAttributes): void {
  const secrets = { verb: 'get', group: '', resource: 'secrets', subresource: '', namespace: '', name: '' };
  if (rbac.decide(user, secrets).allowed) return;
  // The agent of a member may see the Secrets in the Works of that member, which it writes to the member.
  const ownSecrets = {
    verb: 'get',
    group: 'work.karmada.io',
    resource: 'works',
    subresource: 'secrets',
    namespace,
    name,
  };
  if (namespace && rbac.decide(user, ownSecrets).allowed) return;
  const why = `User ${JSON.stringify(user.name)} needs the right to get secrets in all namespaces: Works carry them`;
  throw forbidden({ group: 'work.karmada.io', plural: 'works' }, name, why);
}
