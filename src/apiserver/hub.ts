import { ApiError, internalError, serviceUnavailable, unknownResource } from '../api/index.ts';
import type { Catalog } from '../api/index.ts';
import { StoreError } from '../store/index.ts';
import type { Store } from '../store/index.ts';
import { acceptOf } from './accept.ts';
import type { Admit } from './admission.ts';
import type { Call, Handler, HubParts } from './call.ts';
import { wallClock } from './clock.ts';
import type { Clock } from './clock.ts';
import { discoveryResponse } from './discovery/index.ts';
import { header } from './http.ts';
import type { HubRequest, HubResponse, User } from './http.ts';
import { optionsOf } from './options.ts';
import { establish } from './lifecycle/establish.ts';
import { failed, rendered } from './render.ts';
import { checkScope, handlerOf, verbOf } from './route.ts';
import { subresourceHandler } from './subresource/index.ts';
import { targetOf } from './target.ts';
import type { Target } from './target.ts';

/** What a hub is made of. */
export interface HubOptions {
  readonly store: Store;
  readonly clock?: Clock;
  readonly catalog: () => Catalog;
  readonly admit?: readonly Admit[];
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** Told of failures that nobody expected; the caller only learns that something broke. */
  readonly onFault?: (error: unknown, request: HubRequest) => void;
}

/** An API server as a function. */
export interface Hub {
  handle(request: HubRequest): Promise<HubResponse>;
}

const nobody: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Composes a hub and waits until it has what every cluster has. */
export async function createHub(options: HubOptions): Promise<Hub> {
  const parts: HubParts = {
    store: options.store,
    clock: options.clock ?? wallClock,
    catalog: options.catalog,
    admit: options.admit ?? [],
    handlers: new Map(Object.entries(options.handlers ?? {})),
  };
  const hub: Hub = { handle: (request) => handle(parts, request, options.onFault) };
  await establish(hub);
  return hub;
}

async function handle(parts: HubParts, request: HubRequest, onFault: HubOptions['onFault']): Promise<HubResponse> {
  const warnings: string[] = [];
  try {
    return await answered(parts, request, warnings);
  } catch (error) {
    const known = apiErrorOf(error);
    if (!known) onFault?.(error, request);
    return failed(request, known ?? internalError('an unexpected failure; the log of the hub tells more'), warnings);
  }
}

function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!(error instanceof StoreError)) return undefined;
  if (error.code === 'readonly') return serviceUnavailable(error.message, 5);
  return error.code === 'closed' ? serviceUnavailable('the hub is shutting down', 5) : undefined;
}

async function answered(parts: HubParts, request: HubRequest, warnings: string[]): Promise<HubResponse> {
  const target = targetOf(request.path);
  if (target) return resourceAnswer(parts, { request, target, warnings });
  const discovery = discoveryResponse(parts.catalog(), request);
  if (discovery) return discovery;
  throw unknownResource();
}

interface Aim {
  readonly request: HubRequest;
  readonly target: Target;
  readonly warnings: string[];
}

async function resourceAnswer(parts: HubParts, { request, target, warnings }: Aim): Promise<HubResponse> {
  const kind = parts.catalog().byResource(target.group, target.version, target.plural);
  if (!kind) throw unknownResource();
  checkScope(kind, target);
  const options = optionsOf(request.query);
  const accept = acceptOf(header(request, 'accept'));
  const user = request.user ?? nobody;
  const call: Call = { parts, request, target, kind, options, accept, user, warnings };
  const handler = target.subresource
    ? subresourceHandler(call)
    : handlerOf(call, verbOf(request.method, target, options.watch));
  return rendered(call, await handler(call));
}
