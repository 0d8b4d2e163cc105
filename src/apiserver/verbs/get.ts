import { notFound } from '../../api/index.ts';
import { objectKey } from '../storage/object-keys.ts';
import type { Call, Outcome } from '../call.ts';
import { requireReached } from '../request/resource-version.ts';

/** GET on an object. */
export function get(call: Call): Outcome {
  const { kind, target, parts, options } = call;
  requireReached(options.resourceVersion, parts.store.revision);
  const entry = parts.store.get(objectKey(kind, target.namespace, target.name));
  if (!entry) throw notFound(kind, target.name);
  return { status: 200, entry };
}
