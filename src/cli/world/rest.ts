import { ApiError } from '../../api/index.ts';
import { isObject } from '../../base/index.ts';
import { Unreachable } from '../../client/index.ts';
import type { ApiClient } from '../../client/index.ts';
import { program } from '../commands/version.ts';

/** The state that a hub reports of its controllers. */
export interface Rest {
  /** The version whose rules the controllers follow. */
  readonly by: string;
  /** True when the controllers have nothing left to do. */
  readonly settled: boolean;
  /** How many writes the hub has seen. */
  readonly revision: number;
}

/** Asks a hub whether its controllers are settled; undefined when it does not tell, or not to this caller. */
export async function fetchRest(client: ApiClient): Promise<Rest | undefined> {
  try {
    const { body } = await client.raw({ method: 'GET', path: '/restz' });
    return isObject(body) && typeof body['revision'] === 'number' ? (body as unknown as Rest) : undefined;
  } catch (error) {
    if (error instanceof ApiError || error instanceof Unreachable) return undefined;
    throw error;
  }
}

/**
 * Tells whether the hub was settled all the time between two questions. Then what was read between them is one state,
 * and our own decisions, which are those of the controllers, have nothing to add to it.
 */
export function isSameRest(before: Rest | undefined, after: Rest | undefined): boolean {
  if (!before?.settled || !after?.settled) return false;
  return before.revision === after.revision && before.by === program() && after.by === program();
}
