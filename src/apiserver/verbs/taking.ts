import { strategyOf } from '../builtin/index.ts';
import type { Call } from '../call.ts';
import type { Draft } from '../draft.ts';
import type { Outcome } from '../outcome.ts';

/** Does a write for which a strategy may take something; what is not stored in the end is given back. */
export async function taking(call: Call, draft: Draft, write: () => Promise<Outcome>): Promise<Outcome> {
  const strategy = strategyOf(call.kind);
  if (!strategy.giveBack) return write();
  try {
    return await write();
  } finally {
    strategy.giveBack(draft, call);
  }
}
