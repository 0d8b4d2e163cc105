import type { Objects, User } from '../../api/index.ts';
import {
  attributesOf,
  authenticated,
  authorize,
  authorizeRequest,
  ensureDefaults,
  impersonated,
  issueToken,
  openRbac,
  openTokens,
  refuseEscalation,
  refuseSigning,
  reviewsOf,
  startAggregation,
  startSigning,
  startTokenSecrets,
} from '../../auth/index.ts';
import type { Authority, Rbac, RequestParts, ResourceAttributes, Tokens } from '../../auth/index.ts';
import type { Admit } from '../request/admission.ts';
import { bodyOf } from '../request/body.ts';
import type { Call, Handler } from '../call.ts';
import type { HubRequest } from '../http.ts';
import { hubWriter } from './hub-writer.ts';
import type { HubLike } from './hub-writer.ts';
import { notAllowed } from '../request/route.ts';

/** The parts that the security of a hub needs. */
export interface SecurityOptions {
  readonly objects: Objects;
  readonly authority: Authority;
  readonly issuer?: string;
  readonly audiences?: readonly string[];
  readonly now?: () => number;
  /** Called with failures of background work, which is tried again by itself. */
  readonly onError?: (error: unknown) => void;
}

/** Authenticates and authorizes callers, and answers reviews about both. */
export interface Guard {
  /** The user who acts. Throws 401, and 403 for an impersonation that is not allowed. */
  authenticate(request: HubRequest): User;
  /** Throws 403 unless the user may. */
  authorize(user: User, request: RequestParts): void;
  /** Tells whether the user may do this. */
  allows(user: User, attributes: ResourceAttributes): boolean;
  /** Goes last among the plugins, for it must see the object that is stored. */
  readonly admit: readonly Admit[];
  /** Answers reviews and token requests. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Makes the default roles and starts what keeps aggregated roles and the Secrets of tokens up to date. */
  start(hub: HubLike): Promise<void>;
  stop(): void;
}

/** A guard that knows its callers. */
export interface Security extends Guard {
  readonly rbac: Rbac;
  readonly tokens: Tokens;
}

const anybody: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Lets everybody do everything: for hubs that only their own process reaches. */
export const openDoor: Guard = {
  authenticate: (request) => request.user ?? anybody,
  authorize: () => {},
  allows: () => true,
  admit: [],
  handlers: {},
  start: () => Promise.resolve(),
  stop: () => {},
};

/** Certificates, tokens and RBAC over the objects of a store. */
export function openSecurity(options: SecurityOptions): Security {
  const { objects, authority } = options;
  const rbac = openRbac(objects);
  const tokens = openTokens({ ...options, key: authority.tokenKey });
  const stops: (() => void)[] = [() => rbac.close()];
  return {
    rbac,
    tokens,
    authenticate: (request) => impersonated(request, authenticated(request, tokens), rbac),
    authorize: (user, request) => authorizeRequest(rbac, user, attributesOf(request)),
    allows: (user, attributes) => rbac.decide(user, attributes).allowed,
    admit: [rbacAdmission(rbac)],
    handlers: { ...reviewHandlers(rbac, tokens), '/serviceaccounts/token': tokenHandler(objects, tokens) },
    async start(hub) {
      stops.push(await startBackground(options, hub, tokens));
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

async function startBackground(
  { objects, authority, now = Date.now, onError = () => {} }: SecurityOptions,
  hub: HubLike,
  tokens: Tokens,
): Promise<() => void> {
  const writer = hubWriter(hub);
  await ensureDefaults(objects, writer);
  const aggregation = startAggregation(objects, writer, onError);
  const { certificate: certificateAuthority } = authority;
  const secrets = startTokenSecrets({ objects, writer, tokens, certificateAuthority, onError });
  const signing = startSigning({ objects, writer, authority, now, onError });
  await aggregation.settled();
  return () => {
    aggregation.stop();
    secrets.stop();
    signing.stop();
  };
}

function reviewHandlers(rbac: Rbac, tokens: Tokens): Record<string, Handler> {
  const reviews = Object.entries(reviewsOf(rbac, tokens));
  return Object.fromEntries(
    reviews.map(([path, review]) => [
      path,
      (call: Call) => {
        const { value: body } = bodyOf(call.request, false);
        return { status: 201, object: review({ user: call.user, namespace: call.target.namespace, body }) };
      },
    ]),
  );
}

function tokenHandler(objects: Objects, tokens: Tokens): Handler {
  return ({ request, target, parts }) => {
    if (request.method !== 'POST') throw notAllowed();
    const { namespace, name } = target;
    const { value: body } = bodyOf(request, false);
    return { status: 201, object: issueToken(objects, tokens, { namespace, name, body, now: parts.clock.now() }) };
  };
}

/**
 * Checks RBAC before an object is written; it must run after every plugin that may change the object.
 * A PUT or an apply that turns out to create something needs the right to create, too.
 */
function rbacAdmission(rbac: Omit<Rbac, 'close'>): Admit {
  return (review) => {
    const { operation, kind, namespace, name, subresource, user } = review;
    if (operation === 'CREATE' && subresource === '') {
      const { group, plural: resource } = kind;
      authorize(rbac, user, { verb: 'create', group, resource, subresource, namespace, name });
    }
    refuseEscalation(rbac, review);
    if (kind.plural === 'certificatesigningrequests') refuseSigning(rbac, review);
    return {};
  };
}
