import type { Store } from '../store/index.ts';
import type { Admit } from './admission.ts';
import type { HubRequest, User } from './http.ts';
import { objectKey, resourcePrefix } from './keys.ts';
import { forbidden } from '../api/index.ts';
import {
  attributesOf,
  authenticated,
  impersonated,
  isResourceRequest,
  openRbac,
  openTokens,
  refusalOf,
  refuseEscalation,
  storeObjects,
} from './security/index.ts';
import type { Attributes, Authority, Objects, Rbac, RequestParts, Tokens } from './security/index.ts';

/** Who may come in, and what they may do. */
export interface Guard {
  /** Who acts. Throws 401, and 403 for an impersonation that is not allowed. */
  userOf(request: HubRequest): User;
  /** Throws 403 unless the user may. */
  check(user: User, request: RequestParts): void;
  readonly admit: readonly Admit[];
  close(): void;
}

/** Lets everybody do everything: for hubs that only their own process reaches. */
export const openDoor: Guard = {
  userOf: (request) => request.user ?? { name: 'system:anonymous', groups: ['system:unauthenticated'] },
  check: () => {},
  admit: [],
  close: () => {},
};

/** What security consists of, for those who serve reviews and tokens. */
export interface Security {
  readonly guard: Guard;
  readonly objects: Objects;
  readonly tokens: Tokens;
  readonly rbac: Rbac;
}

/** Certificates, tokens and RBAC over the objects of this store. */
export function openSecurity(store: Store, authority: Authority): Security {
  const objects = storeObjects(store, {
    prefix: resourcePrefix,
    key: (resource, namespace, name) => objectKey(resource, namespace, name),
  });
  const tokens = openTokens({ key: authority.tokenKey, objects });
  const rbac = openRbac(objects);
  const guard: Guard = {
    userOf: (request) => impersonated(request, authenticated(request, tokens), rbac),
    check: (user, request) => check(rbac, user, attributesOf(request)),
    admit: [
      (review) => {
        refuseEscalation(rbac, review);
        return {};
      },
    ],
    close: () => rbac.close(),
  };
  return { guard, objects, tokens, rbac };
}

function check(rbac: Rbac, user: User, attributes: Attributes): void {
  const decision = rbac.decide(user, attributes);
  if (decision.allowed) return;
  const because = decision.reason ? `: ${decision.reason}` : '';
  const text = `${refusalOf(user.name, attributes)}${because}`;
  if (!isResourceRequest(attributes)) throw forbidden({ group: '', plural: '' }, '', text);
  throw forbidden({ group: attributes.group, plural: attributes.resource }, attributes.name, text);
}
