import type { Store } from '../../store/index.ts';
import type { Admit } from '../admission.ts';
import { bodyOf } from '../body.ts';
import type { Call, Handler } from '../call.ts';
import { objectKey, resourcePrefix } from '../keys.ts';
import { notAllowed } from '../route.ts';
import { startAggregation } from './aggregate.ts';
import type { Authority } from './authority.ts';
import { ensureDefaults } from './bootstrap.ts';
import { gated, rbacAdmission } from './gate.ts';
import { storeObjects } from './objects.ts';
import { openRbac } from './rbac.ts';
import type { Rbac } from './rbac.ts';
import { reviewsOf } from './reviews.ts';
import { issueToken } from './tokenrequest.ts';
import { openTokens } from './tokens.ts';
import type { Tokens } from './tokens.ts';
import { startTokenSecrets } from './tokensecrets.ts';
import { hubWriter } from './writer.ts';
import type { HubLike } from './writer.ts';

/** What the security of a hub is made of. */
export interface SecurityOptions {
  readonly store: Store;
  readonly authority: Authority;
  readonly issuer?: string;
  readonly audiences?: readonly string[];
  readonly now?: () => number;
  /** Told of failures of what runs in the background; it tries again by itself. */
  readonly onError?: (error: unknown) => void;
}

/**
 * The security of one hub, in the order in which a hub is put together:
 * `createHub({ handlers, admit: [..., admit] })`, then `start(hub)`, then serve `gate(hub)`.
 */
export interface Security {
  readonly rbac: Rbac;
  readonly tokens: Tokens;
  /** Answers reviews and token requests: `HubOptions.handlers`. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Goes last among the plugins: `HubOptions.admit`. */
  readonly admit: Admit;
  /** Makes the default roles and starts what keeps aggregated roles and token Secrets up to date. */
  start(hub: HubLike): Promise<void>;
  /** The API for callers from outside: who are you, may you? */
  gate(hub: HubLike): HubLike;
  stop(): void;
}

/** Puts the security of a hub together. */
export function openSecurity(options: SecurityOptions): Security {
  const { store, authority, onError = () => undefined } = options;
  const objects = storeObjects(store, { prefix: resourcePrefix, key: objectKey });
  const rbac = openRbac(objects);
  const tokens = openTokens({ ...options, key: authority.tokenKey, objects });
  const stops: (() => void)[] = [() => rbac.close()];
  return {
    rbac,
    tokens,
    handlers: { ...reviewHandlers(rbac, tokens), '/serviceaccounts/token': tokenHandler(objects, tokens) },
    admit: rbacAdmission(rbac),
    async start(hub) {
      const writer = hubWriter(hub);
      await ensureDefaults(objects, writer);
      const aggregation = startAggregation(objects, writer, onError);
      const { certificate: certificateAuthority } = authority;
      const secrets = startTokenSecrets({ objects, writer, tokens, certificateAuthority, onError });
      stops.push(
        () => aggregation.stop(),
        () => secrets.stop(),
      );
      await aggregation.settled();
    },
    gate: (hub) => gated({ rbac, tokens }, hub),
    stop: () => {
      for (const stop of stops) stop();
    },
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

function tokenHandler(objects: ReturnType<typeof storeObjects>, tokens: Tokens): Handler {
  return ({ request, target, parts }) => {
    if (request.method !== 'POST') throw notAllowed();
    const { namespace, name } = target;
    const { value: body } = bodyOf(request, false);
    return { status: 201, object: issueToken(objects, tokens, { namespace, name, body, now: parts.clock.now() }) };
  };
}
