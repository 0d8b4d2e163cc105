import type { Clock } from '../observe/index.ts';
import type { Catalog, KindInfo, Objects, User } from '../api/index.ts';
import type { Entry, Store } from '../store/index.ts';
import type { Admit } from './request/admission.ts';
import type { Backlog } from './watch/backlog.ts';
import type { FlowControl } from './flow/control.ts';
import type { HubRequest, HubResponse } from './http.ts';
import type { QuotaLedger } from './quota/ledger.ts';
import type { Accept, Options } from './request/options.ts';
import type { Target } from './request/route.ts';

/** The parts of the hub that every request needs. */
export interface HubParts {
  readonly store: Store;
  /** The objects of the store by resource, namespace and name. */
  readonly objects: Objects;
  readonly clock: Clock;
  /** The kinds of this moment. */
  catalog(): Catalog;
  /** Kinds of the product's own, as `group/plural`: of these nothing that is stored is dropped for being unknown. */
  readonly ownKinds: ReadonlySet<string>;
  /** Bytes that watchers have not read. */
  readonly backlog: Backlog;
  /** Limits the requests of each user that run at the same time. */
  readonly flow: FlowControl;
  /** The use of ResourceQuotas. */
  readonly quotas: QuotaLedger;
  readonly admit: readonly Admit[];
  /** Handlers of POSTs on `group/plural` that are not stored, and of calls on `group/plural/subresource`. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** Called for failures that no request can answer for any more. */
  readonly onFault?: (error: unknown) => void;
}

/** Answers one call. */
export type Handler = (call: Call) => Promise<Outcome> | Outcome;

/** One request on a resource, authenticated, routed and authorized. */
export interface Call {
  readonly parts: HubParts;
  readonly request: HubRequest;
  readonly target: Target;
  readonly kind: KindInfo;
  readonly options: Options;
  readonly accept: Accept;
  readonly user: User;
  /** Texts for `Warning:` headers, in order. */
  readonly warnings: string[];
}

/** The result of a verb; `respond/render.ts` turns it into the representation that the caller asked for. */
export type Outcome =
  /** A stored object. */
  | { readonly status: number; readonly entry: Entry }
  /** An object that is not stored: of a dry run, a review, a Status. */
  | { readonly status: number; readonly object: object }
  | { readonly status: number; readonly list: ListOutcome }
  /** Rendered already: streams, and the answers of other handlers. */
  | { readonly response: HubResponse };

/** A page of a list, before it is rendered. */
export interface ListOutcome {
  readonly entries: readonly Entry[];
  readonly revision: number;
  readonly continue?: string;
  readonly remaining?: number;
}
