import type { User } from '../../api/index.ts';
import { forbidden } from '../../api/index.ts';
import type { Admit } from '../admission.ts';
import { isResourceRequest, refusalOf } from './attributes.ts';
import type { Attributes } from './attributes.ts';
import { refuseEscalation } from './escalation.ts';
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

/**
 * What RBAC has to say when an object is about to be written; it must be the last of the plugins that may change the object.
 * A PUT or an apply that turns out to create something needs the right to create, too.
 */
export function rbacAdmission(rbac: Omit<Rbac, 'close'>): Admit {
  return (review) => {
    const { operation, kind, namespace, name, subresource, user } = review;
    if (operation === 'CREATE' && subresource === '') {
      const { group, plural: resource } = kind;
      authorize(rbac, user, { verb: 'create', group, resource, subresource, namespace, name });
    }
    refuseEscalation(rbac, review);
    return {};
  };
}
