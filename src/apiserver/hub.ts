import { ApiError, builtinCatalog, groupOf } from '../api/index.ts';
import type { Catalog, CustomResourceDefinition, KindInfo, Objects } from '../api/index.ts';
import type { Authority } from '../auth/index.ts';
import { timestamp } from '../base/index.ts';
import { wallClock } from '../observe/index.ts';
import type { Clock, Metrics } from '../observe/index.ts';
import type { Store } from '../store/index.ts';
import type { Admit, AskingAdmit, Powers } from './request/admission.ts';
import { auditOf } from './audit/audit.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { Handler, HubParts } from './call.ts';
import { CrdController } from './definitions/controller.ts';
import { configuredAdmission } from './admission/configured.ts';
import type { PostWebhook } from './admission/webhooks.ts';
import { openDoor, openSecurity } from './access/guard.ts';
import type { Guard } from './access/guard.ts';
import { FlowControl } from './flow/control.ts';
import type { FlowOptions } from './flow/control.ts';
import type { HubRequest, HubResponse } from './http.ts';
import { objectKey, resourcePrefix } from './storage/object-keys.ts';
import { limitRanger } from './quota/limits.ts';
import { QuotaLedger } from './quota/ledger.ts';
import { handleRequest } from './request.ts';
import type { Server } from './request.ts';
import { subresourcesOf } from './subresource/proxy.ts';
import type { Proxy } from './subresource/proxy.ts';
import { Collector } from './upkeep/garbage-collector.ts';
import { establish } from './upkeep/establish.ts';
import { Expiry } from './upkeep/event-expiry.ts';
import { FinishedJobs } from './upkeep/finished-jobs.ts';
import { Namespaces } from './upkeep/namespaces.ts';
import { QuotaStatus } from './quota/status.ts';
import { storeObjects } from './storage/store-objects.ts';
import type { Target } from './request/route.ts';
import { Backlog } from './watch/backlog.ts';

/** The parts of a hub, and how it differs from the default. */
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
  /** Handlers of POSTs on `group/plural` that are not stored, and of calls on `group/plural/subresource`. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** Functions that forward authorized calls on `group/plural/subresource` to another server; discovery lists them. */
  readonly proxies?: Readonly<Record<string, Proxy>>;
  /** Handlers of further paths, for example `/metrics`, by path; the caller is authorized. */
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
  /** Calls the webhooks of configurations; absent: they are kept and not called. */
  readonly postWebhook?: PostWebhook;
  /** Stands around each verb on objects, for example to trace it; absent: nothing does. */
  readonly around?: Around;
  /** Called with unexpected failures; the caller only learns that an error occurred. */
  readonly onFault?: (error: unknown, request?: HubRequest) => void;
}

/** Does a verb on objects with something before and after it; the request is authorized, its body is not read yet. */
export type Around = <T>(
  asked: { readonly request: HubRequest; readonly target: Target; readonly kind: KindInfo },
  verb: () => Promise<T>,
) => Promise<T>;

/** An API server as a function. */
export interface Hub {
  handle(request: HubRequest): Promise<HubResponse>;
  /**
   * The request with its authenticated caller, so that `handle` does not authenticate again; undefined for a caller that is
   * refused. Needs no body, so that bodies are read only for known callers.
   */
  recognize(request: HubRequest): HubRequest | undefined;
  /** Stops what runs in the background; the store stays open. */
  close(): Promise<void>;
}

/** Composes a hub and waits until it has what every cluster has. */
export async function createHub(options: HubOptions): Promise<Hub> {
  const { store, clock = wallClock } = options;
  const objects = storeObjects(store, { prefix: resourcePrefix, key: objectKey });
  const guard = guardOf(options, objects, clock);
  const onError = (error: unknown): void => options.onFault?.(error);
  const definitions = new CrdController({
    store,
    base: options.kinds ?? builtinCatalog(),
    prefixOf: resourcePrefix,
    subresources: subresourcesOf(options.proxies),
    now: () => timestamp(clock.now()),
    onFault: onError,
  });
  const catalog = (): Catalog => definitions.catalog();
  const parts: HubParts = {
    store,
    backlog: new Backlog(options.mostUnread),
    flow: new FlowControl(options.flow, options.metrics),
    objects,
    clock,
    catalog,
    quotas: new QuotaLedger({ store, catalog }),
    ownKinds: new Set(options.definitions?.map(({ spec: { group, names } }) => `${group}/${names.plural}`)),
    admit: admitOf(options, { store, objects, catalog }, guard),
    handlers: new Map(Object.entries({ ...guard.handlers, ...options.handlers })),
    onFault: onError,
  };
  const audit = options.auditLog && auditOf(options.auditLog, clock);
  const server: Server = { parts, guard, options, audit };
  const handle = (request: HubRequest): Promise<HubResponse> => handleRequest(server, request);
  definitions.start();
  await establish(parts, options.definitions ?? []);
  await definitions.settled();
  await guard.start({ handle });
  const upkeep = await startUpkeep(parts, options, onError);
  return {
    handle,
    recognize: (request) => recognized(guard, request),
    close() {
      upkeep.close();
      guard.stop();
      return definitions.close();
    },
  };
}

/** Webhooks that change objects and LimitRanges first, then the product's own plugins, which may ask about rights; then the policies and webhooks that judge, then those of the guard. */
function admitOf(
  options: HubOptions,
  parts: Pick<HubParts, 'store' | 'objects' | 'catalog'>,
  guard: Guard,
): readonly Admit[] {
  const powers = powersOf(guard, parts.catalog);
  const own = (options.admit ?? []).map(
    (plugin): Admit =>
      (review) =>
        plugin(review, powers),
  );
  const { mutating, validating } = configuredAdmission({ ...parts, guard, post: options.postWebhook });
  return [...mutating, limitRanger(parts.store), ...own, ...validating, ...guard.admit];
}

/** Answers plugins about the rights of a user, by the kinds and rules of this moment. */
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

function guardOf({ authority, onFault }: HubOptions, objects: Objects, clock: Clock): Guard {
  if (!authority) return openDoor;
  const onError = (error: unknown): void => onFault?.(error);
  return openSecurity({ objects, authority, now: () => clock.now(), onError });
}

/** Authenticates a request before its body is read; undefined for a caller that is refused. */
function recognized(guard: Guard, request: HubRequest): HubRequest | undefined {
  try {
    return { ...request, caller: guard.authenticate(request) };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

type OnError = (error: unknown) => void;

/** Starts the upkeep: collects garbage, keeps the default objects of namespaces, deletes old events and finished Jobs. */
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
  const quotas = new QuotaStatus(parts, onError);
  await namespaces.settled();
  return {
    close() {
      collector.close();
      namespaces.close();
      expiry.close();
      finished.close();
      quotas.close();
    },
  };
}
