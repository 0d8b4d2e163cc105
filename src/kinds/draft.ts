import type { ObjectMeta } from '../api/index.ts';

/** Metadata that may still be written to. */
export type DraftMeta = { -readonly [Key in keyof ObjectMeta]: ObjectMeta[Key] };

/** An object on its way into the store: nobody else has a reference to it, so defaulting and preparation write to it. */
export interface Draft {
  apiVersion: string;
  kind: string;
  metadata: DraftMeta;
  [part: string]: unknown;
}

/** A part of a draft that is read or written by name. */
export type Part = Record<string, unknown>;
