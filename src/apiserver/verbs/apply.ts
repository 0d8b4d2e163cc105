import { unsupportedMediaType } from '../../api/index.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../outcome.ts';

/** PATCH with an apply configuration. */
export async function apply(_call: Call): Promise<Outcome> {
  return Promise.reject(unsupportedMediaType([]));
}
