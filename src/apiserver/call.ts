import type { Clock } from '../observe/index.ts';
import type { Catalog, KindInfo, Objects, User } from '../api/index.ts';
import type { Store } from '../store/index.ts';
import type { Accept } from './request/accept.ts';
import type { Admit } from './request/admission.ts';
import type { Backlog } from './watch/backlog.ts';
import type { FlowControl } from './flow/control.ts';
import type { HubRequest } from './http.ts';
import type { Options } from './request/options.ts';
import type { Outcome } from './outcome.ts';
import type { Target } from './request/target.ts';

/** What every request needs of the hub. */
export interface HubParts {
  readonly store: Store;
  /** The objects of the store by resource, namespace and name. */
  readonly objects: Objects;
  readonly clock: Clock;
  /** The kinds of this moment. */
  catalog(): Catalog;
  /** Kinds of the product's own, as `group/plural`: of these nothing that is stored is dropped for being unknown. */
  readonly ownKinds: ReadonlySet<string>;
  /** What watchers have not read. */
  readonly backlog: Backlog;
  /** Bounds what users have under way. */
  readonly flow: FlowControl;
  readonly admit: readonly Admit[];
  /** Who answers POSTs on `group/plural` that are not stored, and calls on `group/plural/subresource`. */
  readonly handlers: ReadonlyMap<string, Handler>;
  /** Called for failures that no request can answer for any more. */
  readonly onFault?: (error: unknown) => void;
}

/** Answers one call. */
export type Handler = (call: Call) => Promise<Outcome> | Outcome;

/** One request on a resource, parsed and attributed. */
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
