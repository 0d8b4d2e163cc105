import { forbidden } from '../api/index.ts';
import type { User } from '../api/index.ts';
import { isResourceRequest, refusalOf } from './attributes.ts';
import type { Attributes } from './attributes.ts';
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
