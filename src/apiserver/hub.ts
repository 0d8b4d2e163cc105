import { ownMember } from '../base/index.ts';
import { ApiError, builtinCatalog, groupOf, internalError, serviceUnavailable, unknownResource } from '../api/index.ts';
import type { Catalog, CustomResourceDefinition, KindInfo, Objects, User } from '../api/index.ts';
import { header } from '../auth/index.ts';
import type { Authority } from '../auth/index.ts';
import { timestamp } from '../base/index.ts';
import { wallClock } from '../observe/index.ts';
import type { Clock } from '../observe/index.ts';
import type { Metrics } from '../observe/index.ts';
import { StoreError } from '../store/index.ts';
import type { Store } from '../store/index.ts';
import { acceptOf } from './request/accept.ts';
import type { Admit, AskingAdmit, Powers } from './request/admission.ts';
import { auditOf } from './audit/audit.ts';
import type { Audit } from './audit/audit.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { Call, Handler, HubParts } from './call.ts';
import { CrdController } from './definitions/controller.ts';
import { discoveryResponse } from './discovery/index.ts';
import { openDoor, openSecurity } from './access/guard.ts';
import type { Guard } from './access/guard.ts';
import { FlowControl } from './flow/control.ts';
import type { FlowOptions } from './flow/control.ts';
import { demandOf, isLongRunning } from './flow/demand.ts';
import type { Asked } from './flow/demand.ts';
import { healthResponse } from './discovery/health.ts';
import type { HubRequest, HubResponse } from './http.ts';
import { objectKey, resourcePrefix } from './storage/object-keys.ts';
import { proxied, subresourcesOf } from './subresource/proxy.ts';
import type { Proxy } from './subresource/proxy.ts';
import { Collector } from './upkeep/garbage-collector.ts';
import { establish } from './upkeep/establish.ts';
import { Expiry } from './upkeep/event-expiry.ts';
import { FinishedJobs } from './upkeep/finished-jobs.ts';
import { Namespaces } from './upkeep/namespaces.ts';
import { storeObjects } from './storage/store-objects.ts';
import { openapiResponse } from './discovery/openapi.ts';
import { optionsOf } from './request/options.ts';
import type { Options } from './request/options.ts';
import { failed, rendered } from './respond/render.ts';
import { checkScope, handlerOf, verbOf } from './request/route.ts';
import { selectedName } from './selector/field.ts';
import { subresourceHandler } from './subresource/index.ts';
import { targetOf } from './request/target.ts';
import type { Target } from './request/target.ts';
import { Backlog } from './watch/backlog.ts';
import { versionResponse } from './discovery/version.ts';

/** What a hub is made of. */
export interface HubOptions {
  readonly store: Store;
  readonly clock?: Clock;
  /** The kinds that need no definition; the built-in ones unless told otherwise. */
  readonly kinds?: Catalog;
  /** Kinds of the product's own: their definitions are put in place, or brought up to date, at the start. */
  readonly definitions?: readonly CustomResourceDefinition[];
  /** With it callers must say who they are and RBAC decides; without, everybody may do everything. */
  readonly authority?: Authority;
  readonly admit?: readonly AskingAdmit[];
  /** Who answers POSTs on `group/plural` that are not stored, and calls on `group/plural/subresource`. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** Who forwards calls on `group/plural/subresource` to another server, when the caller may do it; discovery lists them. */
  readonly proxies?: Readonly<Record<string, Proxy>>;
  /** Who answers paths that the hub does not know, as `/metrics`; the caller may do it. */
  readonly paths?: Readonly<Record<string, (request: HubRequest) => Promise<HubResponse> | HubResponse>>;
  /** Called before a request for objects is answered, when the caller may do it; an ApiError that it throws is the answer. */
  readonly before?: (request: HubRequest, target: Target) => Promise<void> | void;
  /** HTML for a browser that comes without credentials; absent: it gets the same 401 as every client. */
  readonly page?: string;
  /** Garbage is looked for when this resolves, so that it delays nobody's start; absent: at once. */
  readonly collectAfter?: Promise<unknown>;
  /** Bounds of the requests that are executed and that wait; absent: those of kube-apiserver. */
  readonly flow?: FlowOptions;
  /** Bytes that all watchers together may leave unread; 128 MiB unless told otherwise. */
  readonly mostUnread?: number;
  /** Where flow control counts; absent: nowhere. */
  readonly metrics?: Metrics;
  /** Where requests from outside are written down; absent: nowhere. */
  readonly auditLog?: AuditLog;
  /** Told of failures that nobody expected; the caller only learns that something broke. */
  readonly onFault?: (error: unknown, request?: HubRequest) => void;
}

/** An API server as a function. */
export interface Hub {
  handle(request: HubRequest): Promise<HubResponse>;
  /** Does it know who asks? Needs no body, so that one is read only for those it knows. */
  knows(request: HubRequest): boolean;
  /** Stops what runs in the background; the store stays open. */
  close(): Promise<void>;
}

/** Everything that answers a request. */
interface Desk {
  readonly flow: FlowControl;
  readonly parts: HubParts;
  readonly guard: Guard;
  readonly options: HubOptions;
}

/** Composes a hub and waits until it has what every cluster has. */
export async function createHub(options: HubOptions): Promise<Hub> {
  const { store, clock = wallClock } = options;
  const audit = options.auditLog && auditOf(options.auditLog, clock);
  const objects = storeObjects(store, { prefix: resourcePrefix, key: objectKey });
  const guard = guardOf(options, { objects, clock, audit });
  const onError = (error: unknown): void => options.onFault?.(error);
  const definitions = new CrdController({
    store,
    base: options.kinds ?? builtinCatalog(),
    prefixOf: resourcePrefix,
    subresources: subresourcesOf(options.proxies),
    now: () => timestamp(clock.now()),
    onFault: onError,
  });
  const flow = new FlowControl(options.flow, options.metrics);
  const parts: HubParts = {
    store,
    backlog: new Backlog(options.mostUnread),
    flow,
    objects,
    clock,
    catalog: () => definitions.catalog(),
    ownKinds: new Set(options.definitions?.map(({ spec: { group, names } }) => `${group}/${names.plural}`)),
    admit: admitOf(options, guard, () => definitions.catalog()),
    handlers: new Map(Object.entries({ ...guard.handlers, ...options.handlers })),
    onFault: onError,
  };
  const desk: Desk = { parts, guard, options, flow };
  const handle = (request: HubRequest): Promise<HubResponse> => answer(desk, request);
  definitions.start();
  await establish(parts, options.definitions ?? []);
  await definitions.settled();
  await guard.start({ handle });
  const upkeep = await startUpkeep(parts, options, onError);
  return {
    handle: audit ? audit.around(handle) : handle,
    knows: (request) => isKnown(guard, request),
    close() {
      upkeep.close();
      guard.stop();
      return definitions.close();
    },
  };
}

/** The product's own plugins first, which may ask about rights; then those of the guard. */
function admitOf(options: HubOptions, guard: Guard, catalog: () => Catalog): readonly Admit[] {
  const powers = powersOf(guard, catalog);
  const own = (options.admit ?? []).map(
    (plugin): Admit =>
      (review) =>
        plugin(review, powers),
  );
  return [...own, ...guard.admit];
}

/** What plugins may ask about a user, by the kinds and rights of this moment. */
function powersOf(guard: Guard, catalog: () => Catalog): Powers {
  return {
    may: (user, { verb, apiVersion, kind, namespace, name }) => {
      const info = catalog().byKind(apiVersion, kind);
      return guard.allows(user, {
        verb,
        group: groupOf(apiVersion),
        resource: info?.plural ?? `${kind.toLowerCase()}s`,
        subresource: '',
        namespace: info?.namespaced === false ? '' : namespace,
        name,
      });
    },
  };
}

interface GuardParts {
  readonly objects: Objects;
  readonly clock: Clock;
  readonly audit: Audit | undefined;
}

function guardOf({ authority, onFault }: HubOptions, { objects, clock, audit }: GuardParts): Guard {
  const onError = (error: unknown): void => onFault?.(error);
  const guard = authority ? openSecurity({ objects, authority, now: () => clock.now(), onError }) : openDoor;
  return audit ? audit.guard(guard) : guard;
}

function isKnown(guard: Guard, request: HubRequest): boolean {
  try {
    guard.userOf(request);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

type OnError = (error: unknown) => void;

/** What the hub does by itself: collects garbage, keeps namespaces furnished, forgets old events and finished Jobs. */
async function startUpkeep(parts: HubParts, options: HubOptions, onError: OnError): Promise<{ close(): void }> {
  const { authority, collectAfter } = options;
  const collector = new Collector(parts, onError);
  if (collectAfter) void collectAfter.then(() => collector.start());
  else collector.start();
  const namespaces = new Namespaces(parts, {
    onError,
    ...(authority && { certificateAuthority: authority.certificate }),
  });
  const expiry = new Expiry(parts, onError);
  const finished = new FinishedJobs(parts, onError);
  await namespaces.settled();
  return {
    close() {
      collector.close();
      namespaces.close();
      expiry.close();
      finished.close();
    },
  };
}

async function answer(desk: Desk, request: HubRequest): Promise<HubResponse> {
  const warnings: string[] = [];
  try {
    return await answered(desk, request, warnings);
  } catch (error) {
    const known = apiErrorOf(error);
    const page = known?.code === 401 ? pageFor(desk.options, request) : undefined;
    if (page) return page;
    if (!known) desk.options.onFault?.(error, request);
    return failed(request, known ?? internalError('an unexpected failure; the log of the hub tells more'), warnings);
  }
}

/** People who open the hub in a browser get a page instead of JSON. */
function pageFor({ page }: HubOptions, request: HubRequest): HubResponse | undefined {
  const isBrowser = request.method === 'GET' && header(request, 'accept').includes('text/html');
  if (page === undefined || !isBrowser || header(request, 'authorization') !== '') return undefined;
  return { status: 401, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(page) };
}

function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!(error instanceof StoreError)) return undefined;
  if (error.code === 'readonly') return serviceUnavailable(error.message, 5);
  return error.code === 'closed' ? serviceUnavailable('the hub is shutting down', 5) : undefined;
}

async function answered(desk: Desk, request: HubRequest, warnings: string[]): Promise<HubResponse> {
  const user = desk.guard.userOf(request);
  const target = targetOf(request.path);
  const kind = target && desk.parts.catalog().byResource(target.group, target.version, target.plural);
  if (!kind && !isServed(desk.parts.catalog(), request.path)) return notThere();
  const asked: Asked = { store: desk.parts.store, request, target, kind, user };
  if (desk.flow.isExempt(user) || isLongRunning(asked)) return dispatched(desk, asked, warnings);
  const release = await desk.flow.enter(demandOf(asked));
  try {
    return await dispatched(desk, asked, warnings);
  } finally {
    release();
  }
}

async function dispatched(desk: Desk, asked: Asked, warnings: string[]): Promise<HubResponse> {
  const { request, target, kind, user } = asked;
  if (target) return resourceAnswer(desk, { request, target, kind, user, warnings });
  const { method, path } = request;
  desk.guard.check(user, { method, path, target: undefined });
  return (await pathAnswer(desk, request)) ?? notThere();
}

async function pathAnswer({ parts, options }: Desk, request: HubRequest): Promise<HubResponse | undefined> {
  const own = ownMember(options.paths, request.path);
  if (own) return own(request);
  return (
    healthResponse(parts.store, request) ??
    versionResponse(request) ??
    openapiResponse(parts.catalog(), request) ??
    discoveryResponse(parts.catalog(), request)
  );
}

/** Of a group or version that nobody serves, Kubernetes does not even know the paths. */
function isServed(catalog: Catalog, path: string): boolean {
  const [, root, group = '', version = ''] = path.split('/');
  if (root !== 'apis' || !group) return true;
  const known = catalog.groups.find((one) => one.group === group);
  return known !== undefined && (!version || known.versions.includes(version));
}

/** Outside of the grammar of resources Kubernetes answers in plain text. */
function notThere(): HubResponse {
  return {
    status: 404,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from('404 page not found\n'),
  };
}

interface Aim {
  readonly request: HubRequest;
  readonly target: Target;
  /** Undefined when there is no such resource; those who may not ask are not told so. */
  readonly kind: KindInfo | undefined;
  readonly user: User;
  readonly warnings: string[];
}

async function resourceAnswer(desk: Desk, aim: Aim): Promise<HubResponse> {
  const { request, target, kind, user, warnings } = aim;
  const { parts, guard } = desk;
  const proxy = ownMember(desk.options.proxies, `${target.group}/${target.plural}/${target.subresource}`);
  if (proxy) return proxyAnswer(desk, aim, proxy);
  const options = optionsOf(request.query);
  guard.check(user, attributesFor(request, target, options));
  if (!kind) throw unknownResource();
  checkScope(kind, target);
  await desk.options.before?.(request, target);
  if (kind.deprecationWarning) warnings.push(kind.deprecationWarning);
  const accept = acceptOf(header(request, 'accept'));
  const call: Call = { parts, request, target, kind, options, accept, user, warnings };
  const handler = target.subresource
    ? subresourceHandler(call)
    : handlerOf(call, verbOf(request.method, target, options.watch));
  return rendered(call, await handler(call));
}

/** Query and headers belong to the server behind the proxy, so nothing of them is read here. */
function proxyAnswer({ parts, guard }: Desk, { request, target, kind, user }: Aim, proxy: Proxy): Promise<HubResponse> {
  guard.check(user, { method: request.method, path: request.path, target });
  if (!kind) throw unknownResource();
  checkScope(kind, target);
  return proxied(proxy, { request, target, user }, parts.flow);
}

function attributesFor({ method, path }: HubRequest, target: Target, options: Options): Parameters<Guard['check']>[1] {
  const { watch, fieldSelector } = options;
  if (fieldSelector === '') return { method, path, target, watch };
  const selected = selectedName(fieldSelector);
  return { method, path, target, watch, ...(selected && { selectedName: selected }) };
}
