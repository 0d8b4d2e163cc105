import type { Entry } from '../store/index.ts';
import type { HubResponse } from './http.ts';

/** What a verb came to; the renderer turns it into the representation that was asked for. */
export type Outcome =
  /** A stored object. */
  | { readonly status: number; readonly entry: Entry }
  /** An object that is not stored: of a dry run, a review, a Status. */
  | { readonly status: number; readonly object: object }
  | { readonly status: number; readonly list: ListOutcome }
  /** Rendered already: streams and what other handlers answer. */
  | { readonly response: HubResponse };

export interface ListOutcome {
  readonly entries: readonly Entry[];
  readonly revision: number;
  readonly continue?: string;
  readonly remaining?: number;
}
