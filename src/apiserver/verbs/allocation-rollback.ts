import { strategyOf } from '../../kinds/index.ts';
import type { Draft } from '../../kinds/index.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../outcome.ts';

/** Does a write for which a strategy may take something; what is not stored in the end is given back. */
export function withAllocationRollback(call: Call, draft: Draft, write: () => Promise<Outcome>): Promise<Outcome> {
  return strategyOf(call.kind).giveBack ? givingBack(call, draft, write) : write();
}

async function givingBack(call: Call, draft: Draft, write: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await write();
  } finally {
    strategyOf(call.kind).giveBack?.(draft, call);
  }
}
