import { ApiError, forbidden } from '../../api/index.ts';
import type { Admit } from '../admission.ts';
import type { HubRequest, User } from '../http.ts';
import { optionsOf } from '../options.ts';
import { failed } from '../render.ts';
import { targetOf } from '../target.ts';
import { attributesOf, isResourceRequest, refusalOf } from './attributes.ts';
import type { Attributes } from './attributes.ts';
import { authenticated } from './authenticate.ts';
import { refuseEscalation } from './escalation.ts';
import { impersonated } from './impersonate.ts';
import type { Rbac } from './rbac.ts';
import type { Tokens } from './tokens.ts';
import type { HubLike } from './writer.ts';

/** What decides at the gate. */
export interface GateParts {
  readonly rbac: Omit<Rbac, 'close'>;
  readonly tokens: Pick<Tokens, 'authenticate'>;
}

/** The same API, for those who show who they are and only as far as RBAC lets them. */
export function gated(parts: GateParts, hub: HubLike): HubLike {
  return {
    handle(request) {
      try {
        return hub.handle({ ...request, user: admitted(parts, request) });
      } catch (error) {
        if (error instanceof ApiError) return Promise.resolve(failed(request, error));
        throw error;
      }
    },
  };
}

/** The user that a request acts as; throws the 401, 403 or 400 of one that may not pass. */
export function admitted(parts: GateParts, request: HubRequest): User {
  const caller = authenticated(request, parts.tokens);
  const user = impersonated(request, caller, parts.rbac);
  authorize(parts.rbac, user, wantedBy(request));
  return user;
}

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

function wantedBy({ method, path, query }: HubRequest): Attributes {
  const target = targetOf(path);
  if (!target || query === '') return attributesOf({ method, path, target });
  const { watch, fieldSelector } = optionsOf(query);
  const selectedName = nameIn(fieldSelector);
  return attributesOf({ method, path, target, watch, ...(selectedName && { selectedName }) });
}

/** The name that a field selector demands; every part of a selector must hold, so one that fixes the name is enough. */
function nameIn(selector: string): string | undefined {
  if (!selector.includes('metadata.name')) return undefined;
  for (const part of selector.split(',')) {
    const name = /^metadata\.name==?([-.:\w]+)$/.exec(part)?.[1];
    if (name) return name;
  }
  return undefined;
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
