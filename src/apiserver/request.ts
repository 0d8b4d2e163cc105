/**
 * The life of one request, from top to bottom:
 *
 *   authenticate → route → wait for a seat → authorize → verb → respond
 *
 * A verb is one file of `verbs/`, and again one sequence: decode → own → admit → validate → store. Every failure on the way is
 * an exception that becomes the answer here, and nowhere else.
 */
import { ownMember } from '../base/index.ts';
import { ApiError, internalError, serviceUnavailable, unknownResource } from '../api/index.ts';
import type { KindInfo, User } from '../api/index.ts';
import { header } from '../auth/index.ts';
import { StoreError } from '../store/index.ts';
import type { Guard } from './access/guard.ts';
import type { Audit } from './audit/audit.ts';
import type { Call, HubParts } from './call.ts';
import { discoveryResponse } from './discovery/discovery.ts';
import { healthResponse } from './discovery/health.ts';
import { openapiResponse } from './discovery/openapi.ts';
import { versionResponse } from './discovery/version.ts';
import { isExempt } from './flow/control.ts';
import { demandOf, isLongRunning } from './flow/demand.ts';
import type { HubRequest, HubResponse } from './http.ts';
import type { HubOptions } from './hub.ts';
import { acceptOf, checkTimeout, optionsOf } from './request/options.ts';
import type { Options } from './request/options.ts';
import { checkScope, routeOf } from './request/route.ts';
import type { Target } from './request/route.ts';
import { failed, rendered } from './respond/render.ts';
import { selectedName } from './selector/field.ts';
import { proxied } from './subresource/proxy.ts';
import type { Proxy } from './subresource/proxy.ts';
import { handlerOf } from './verbs/handler.ts';

/** The parts of a hub that answer requests. */
export interface Server {
  readonly parts: HubParts;
  readonly guard: Guard;
  readonly options: HubOptions;
  readonly audit: Audit | undefined;
}

/** Answers a request. Never rejects: a failure is an answer, too. */
export async function handleRequest(server: Server, request: HubRequest): Promise<HubResponse> {
  const warnings: string[] = [];
  const audit = server.audit?.begin(request);
  let response: HubResponse;
  try {
    const user = request.caller ?? server.guard.authenticate(request);
    audit?.by(user);
    response = await answer(server, { request, user, warnings });
  } catch (error) {
    response = failureResponse(server, error, { request, warnings });
  }
  return audit ? audit.end(response) : response;
}

interface Authenticated {
  readonly request: HubRequest;
  readonly user: User;
  readonly warnings: string[];
}

async function answer(server: Server, { request, user, warnings }: Authenticated): Promise<HubResponse> {
  const { parts } = server;
  const { store, flow } = parts;
  const route = routeOf(request.path, parts.catalog());
  if (!route) return notFoundPage();
  const { target, kind } = route;
  checkTimeout(request.query);
  const asked = { store, request, target, kind, user };
  const release = isExempt(user) || isLongRunning(asked) ? undefined : await flow.enter(demandOf(asked));
  try {
    if (target) return await resourceResponse(server, { request, target, kind, user, warnings });
    server.guard.authorize(user, { method: request.method, path: request.path, target: undefined });
    return (await pathResponse(server, request)) ?? notFoundPage();
  } finally {
    release?.();
  }
}

/** A request for objects. */
interface ResourceRequest extends Authenticated {
  readonly target: Target;
  /** Undefined when the resource does not exist: only callers who may ask for it learn that. */
  readonly kind: KindInfo | undefined;
}

async function resourceResponse(server: Server, asked: ResourceRequest): Promise<HubResponse> {
  const { request, target, kind, user, warnings } = asked;
  const { parts, guard } = server;
  const proxy = ownMember(server.options.proxies, `${target.group}/${target.plural}/${target.subresource}`);
  if (proxy) return proxyResponse(server, asked, proxy);
  const options = optionsOf(request.query);
  guard.authorize(user, attributesFor(request, target, options));
  if (!kind) throw unknownResource();
  checkScope(kind, target);
  await server.options.before?.(request, target);
  if (kind.deprecationWarning) warnings.push(kind.deprecationWarning);
  const accept = acceptOf(header(request, 'accept'));
  const call: Call = { parts, request, target, kind, options, accept, user, warnings };
  const handle = handlerOf(call);
  const { around } = server.options;
  return rendered(call, await (around ? around(call, async () => handle(call)) : handle(call)));
}

function attributesFor(
  { method, path }: HubRequest,
  target: Target,
  { watch, fieldSelector }: Options,
): Parameters<Guard['authorize']>[1] {
  const selected = fieldSelector === '' ? undefined : selectedName(fieldSelector);
  return { method, path, target, watch, ...(selected && { selectedName: selected }) };
}

/** Forwards a call to the server behind a proxied subresource. Query and headers belong to that server: nothing of them is read here. */
function proxyResponse({ parts, guard }: Server, asked: ResourceRequest, proxy: Proxy): Promise<HubResponse> {
  const { request, target, kind, user } = asked;
  guard.authorize(user, { method: request.method, path: request.path, target });
  if (!kind) throw unknownResource();
  checkScope(kind, target);
  return proxied(proxy, { request, target, user }, parts.flow);
}

async function pathResponse({ parts, options }: Server, request: HubRequest): Promise<HubResponse | undefined> {
  const own = ownMember(options.paths, request.path);
  if (own) return own(request);
  return (
    healthResponse(parts.store, request) ??
    versionResponse(request) ??
    openapiResponse(parts.catalog(), request) ??
    discoveryResponse(parts.catalog(), request)
  );
}

/** For a path outside the grammar of resources Kubernetes answers in plain text. */
function notFoundPage(): HubResponse {
  return {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from('404 page not found\n'),
  };
}

interface Unanswered {
  readonly request: HubRequest;
  readonly warnings: readonly string[];
}

function failureResponse({ options }: Server, error: unknown, { request, warnings }: Unanswered): HubResponse {
  const known = apiErrorOf(error);
  const page = known?.code === 401 ? browserPage(options, request) : undefined;
  if (page) return page;
  if (!known) options.onFault?.(error, request);
  return failed(request, known ?? internalError('an unexpected failure; the log of the hub tells more'), warnings);
}

function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!(error instanceof StoreError)) return undefined;
  if (error.code === 'readonly') return serviceUnavailable(error.message, 5);
  return error.code === 'closed' ? serviceUnavailable('the hub is shutting down', 5) : undefined;
}

/** The HTML page for a person who opens the hub in a browser; undefined for all other clients. */
function browserPage({ page }: HubOptions, request: HubRequest): HubResponse | undefined {
  const isBrowser = request.method === 'GET' && header(request, 'accept').includes('text/html');
  if (page === undefined || !isBrowser || header(request, 'authorization') !== '') return undefined;
  return { status: 401, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(page) };
}
