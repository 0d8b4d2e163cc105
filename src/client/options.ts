import type { KubeObject, Status } from '../api/index.ts';

/** Ends a call before its time. */
interface Abortable {
  readonly signal?: AbortSignal;
}

/** The options of a read. */
export interface ReadOptions extends Abortable {
  readonly subresource?: string;
  readonly resourceVersion?: string;
}

/** Tells how much comes. */
interface Counted {
  readonly onBytes?: (count: number) => void;
}

/** Selects objects of a kind. */
export interface Selecting extends Abortable {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** The options of a list. */
export interface ListOptions extends Selecting, Counted {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** The options of a watch. */
export interface WatchOptions extends Selecting, Counted {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
}

/** The options of a write. */
export interface WriteOptions extends Abortable {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  readonly subresource?: string;
}

/** The options of a patch. */
export interface PatchOptions extends WriteOptions {
  readonly type: 'merge' | 'json' | 'strategic' | 'apply';
  /** Takes fields over from other managers; server-side apply only. */
  readonly force?: boolean;
}

/** The options of a deletion. */
export interface DeleteOptions extends Abortable {
  /** Deletes only this very object. */
  readonly uid?: string;
  /** Deletes only this very state of it. */
  readonly resourceVersion?: string;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

/** The result of a deletion: an object with finalizers still exists. */
export interface Deletion {
  readonly gone: boolean;
  /** Its last state, where the server showed one. */
  readonly object?: KubeObject;
}

/** Some objects of a collection, and where it goes on. */
export interface Page<T extends KubeObject = KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly continue?: string;
}

/** An event of a watch. A bookmark has an object with nothing but a resourceVersion and, at times, annotations. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: KubeObject }
  | { readonly type: 'ERROR'; readonly status: Status };
